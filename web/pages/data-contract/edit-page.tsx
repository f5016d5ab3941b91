import { useQuery } from '@tanstack/react-query'
import { readText, sendText } from '../../api/document.ts'
import { EditDocument, prepareToEdit } from '../../documents/edit-document.tsx'
import { toApiPath, type DocumentStart } from '../../documents/document-kind.ts'
import { parseVersion, RestoreVersion } from '../../documents/restore-version.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { loadPart } from '../../shell/chunks.ts'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_KIND } from './contract-kind.ts'
import { startNamed } from './contract-templates.ts'

const START = { from: '', asset: '', id: '', team: '', version: '' }

// While the session and the document are still on their way.
prepareToEdit(CONTRACT_KIND)

/**
 * Writes a new data contract, or changes one. `?asset=` begins with a draft about an asset, `?id=`
 * with an id that a port names already and `&team=` with an owner; `?from=odcs` begins with the conversion of a DCS contract, and
 * `?version=` with an old version.
 */
export function EditDataContractPage() {
  const id = usePathId()
  const [{ from, asset, id: named, team, version: oldVersion }] = useUrlState(START)
  if (id !== undefined) {
    if (from === 'odcs')
      return <Begun id={id} title={`Convert ${id}`} begin={() => conversionOf(id)} />
    const version = parseVersion(oldVersion)
    if (version !== undefined) {
      return <RestoreVersion kind={CONTRACT_KIND} id={id} version={version} />
    }
    return <EditDocument key={id} kind={CONTRACT_KIND} id={id} />
  }
  if (asset !== '') {
    return (
      <Begun
        key={`asset ${asset}`}
        id={undefined}
        title={`Draft about ${asset}`}
        begin={() => draftOf(asset)}
      />
    )
  }
  const start = named === '' ? undefined : startNamed(named, team)
  return <EditDocument key={`new ${named}`} kind={CONTRACT_KIND} id={undefined} start={start} />
}

interface BegunProps {
  id: string | undefined
  title: string
  begin: () => Promise<DocumentStart>
}

// A start that the server makes comes before the page can be shown.
function Begun({ id, title, begin }: BegunProps) {
  const start = useQuery({
    queryKey: ['document', CONTRACT_KIND.api, id ?? '', 'start', title],
    queryFn: begin,
    // Refetching the draft must not discard input.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data } = start
  if (data !== undefined)
    return <EditDocument key={title} kind={CONTRACT_KIND} id={id} start={data} />
  return (
    <Page title={title} trail={[CONTRACT_KIND.list]}>
      <Loaded query={start}>{() => null}</Loaded>
    </Page>
  )
}

async function conversionOf(id: string): Promise<DocumentStart> {
  const { text } = await readText(`${toApiPath(CONTRACT_KIND, id)}/export?format=odcs`)
  return {
    ...(await toYaml(text)),
    key: 'odcs',
    note: 'This is the contract converted to ODCS. Nothing is saved yet: review the document and the changes below, then save.',
  }
}

async function draftOf(asset: string): Promise<DocumentStart> {
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
