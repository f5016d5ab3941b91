import { client, readBody } from '../../api/client.ts'
import { readText, sendText } from '../../api/document.ts'
import { Problem } from '../../api/problem.ts'
import { toApiPath, type DocumentStart } from '../../documents/document-kind.ts'
import { EditDocument, prepareToEdit } from '../../documents/edit-document.tsx'
import { parseVersion } from '../../documents/parse-version.ts'
import { readStoredText } from '../../documents/stored-document.ts'
import { loadPart, newChunk, takePart } from '../../parts/lazy-part.ts'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_KIND } from './contract-kind.ts'
import { startNamed } from './contract-templates.ts'

const starts = newChunk(() => import('../../documents/edit-start.tsx'))
const EditStart = takePart(starts, (module) => module.EditStart)
const RestoreVersion = takePart(starts, (module) => module.RestoreVersion)

const START = { from: '', asset: '', id: '', team: '', version: '' }

// While the session and the document are still on their way.
prepareToEdit(CONTRACT_KIND)

/**
 * Writes a new data contract, or changes one. `?asset=` begins with a draft about an asset, `?id=`
 * with an id that a port names already and `&team=` with an owner; `?from=odcs` begins with the conversion of a DCS contract,
 * `?from=drift` with the proposal that promises what its tables are, and `?version=` with an old version.
 */
export function EditDataContractPage() {
  const id = usePathId()
  const [{ from, asset, id: named, team, version: oldVersion }] = useUrlState(START)
  const kind = CONTRACT_KIND
  if (id !== undefined) {
    if (from === 'odcs') {
      const load = async (): Promise<DocumentStart> => await loadConversion(id)
      return <EditStart kind={kind} id={id} title={`Convert ${id}`} load={load} />
    }
    if (from === 'drift') {
      const load = async (): Promise<DocumentStart> => await loadProposal(id)
      return <EditStart kind={kind} id={id} title={`Change ${id}`} load={load} />
    }
    const version = parseVersion(oldVersion)
    if (version !== undefined) return <RestoreVersion kind={kind} id={id} version={version} />
    return <EditDocument key={id} kind={kind} id={id} />
  }
  if (asset !== '') {
    const title = `Draft about ${asset}`
    const load = async (): Promise<DocumentStart> => await loadDraft(asset)
    return <EditStart key={title} kind={kind} id={undefined} title={title} load={load} />
  }
  const start = named === '' ? undefined : startNamed(named, team)
  return <EditDocument key={`new ${named}`} kind={kind} id={undefined} start={start} />
}

async function loadConversion(id: string): Promise<DocumentStart> {
  const { text } = await readText(`${toApiPath(CONTRACT_KIND, id)}/export?format=odcs`)
  return {
    ...(await toYaml(text)),
    key: 'odcs',
    note: 'This is the contract converted to ODCS. Nothing is saved yet: review the document and the changes below, then save.',
  }
}

async function loadProposal(id: string): Promise<DocumentStart> {
  const key = 'drift'
  try {
    const { document, mediaType } = await readBody(
      client.POST('/api/datacontracts/{id}/drift/proposal', {
        params: { path: { id } },
        body: {},
      }),
    )
    return {
      text: document,
      mediaType,
      key,
      note: 'The contract, changed to promise what its tables are. Nothing is saved yet: review the changes below, then save.',
    }
  } catch (error) {
    // Some differences have no words in a contract: the author then changes it by hand.
    if (!(error instanceof Problem) || error.code !== 'invalid_state') throw error
    const { text, mediaType } = await readStoredText(toApiPath(CONTRACT_KIND, id))
    return { text, mediaType, key, note: `No proposal. ${error.message}` }
  }
}

async function loadDraft(asset: string): Promise<DocumentStart> {
  const path = `/ui/assets/${encodeURIComponent(asset)}/contract`
  const { text } = await sendText('POST', path, { text: '', mediaType: 'application/json' })
  return {
    ...(await toYaml(text)),
    key: `asset:${asset}`,
    note: 'This draft describes the asset as its source does. Add a team, a purpose, and what consumers can rely on.',
  }
}

// Documents written by a program are one line of JSON; YAML is easier to read. Its code is large, and the
// editor needs it only for these documents.
async function toYaml(json: string): Promise<Pick<DocumentStart, 'text' | 'mediaType'>> {
  const formats = await loadPart(async () => await import('../../../formats/text/text.ts'))
  const source = formats.readText(json, 'application/json')
  if (!source.ok) return { text: json, mediaType: 'application/json' }
  return { text: formats.convertToYaml(source), mediaType: 'application/yaml' }
}
