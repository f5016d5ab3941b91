import { useQuery } from '@tanstack/react-query'
import { readText as readSource, yamlOf } from '../../../formats/text.ts'
import { readText, sendText } from '../../api/document.ts'
import { EditDocument } from '../../documents/edit-document.tsx'
import { apiPathOf, type DocumentStart } from '../../documents/document-kind.ts'
import { parseVersion, RestoreVersion } from '../../documents/restore-version.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_KIND } from './contract-kind.ts'
import { startNamed } from './contract-templates.ts'

const START = { from: '', asset: '', id: '', team: '', version: '' }

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
    // What is typed does not end because the draft is made anew.
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
  const { text } = await readText(`${apiPathOf(CONTRACT_KIND, id)}/export?format=odcs`)
  return {
    ...asYaml(text),
    key: 'odcs',
    note: 'This is the contract as ODCS. Nothing is saved yet: read it, see below what saving would do, and save it.',
  }
}

async function draftOf(asset: string): Promise<DocumentStart> {
  const path = `/ui/assets/${encodeURIComponent(asset)}/contract`
  const { text } = await sendText('POST', path, { text: '', mediaType: 'application/json' })
  return {
    ...asYaml(text),
    key: `asset:${asset}`,
    note: 'This draft says what the source says. Complete it: its team, what it is for, and what consumers can rely on.',
  }
}

// What a program wrote is one line of JSON; people read YAML more easily.
function asYaml(json: string): {
  text: string
  mediaType: 'application/json' | 'application/yaml'
} {
  const source = readSource(json, 'application/json')
  if (!source.ok) return { text: json, mediaType: 'application/json' }
  return { text: yamlOf(source), mediaType: 'application/yaml' }
}
