import { useQuery } from '@tanstack/react-query'
import { namedAssets } from '../../../formats/asset/named-assets.ts'
import { getField, type Value } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { IncidentsPanel } from '../../documents/incidents.tsx'
import { ContextPanel } from '../../documents/context-panel.tsx'
import { checkBeside } from '../../documents/document-thread.ts'
import { listMoreFacts } from '../../documents/more-facts.tsx'
import type { StoredText } from '../../documents/stored-document.ts'
import { AssetIcon } from '../../parts/asset-kind.tsx'
import { Link } from '../../parts/link.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { Count } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'
import { About } from './about.tsx'
import { LineagePanel } from './lineage-panel.tsx'
import { ManagementPorts } from './port-more.tsx'
import { InputPorts, OutputPorts } from './ports.tsx'
import { describeProduct, type ShownProduct } from './product-query.ts'

/** The overview for consumers: description, ports, lineage. */
export function Overview({ id, shown }: { id: string; shown: ShownProduct }) {
  const texts = describeProduct(shown)
  const more = listMoreFacts(getField(shown.value, 'description'), TEXTS)
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5">
        <Panel title="Description">
          {texts.length === 0 ? (
            <p className="text-muted">
              No description yet. Describe what the data is for, so that people find it by search.
            </p>
          ) : (
            <div className="grid gap-3">
              {texts.map(([title, text], at) => (
                <div key={title}>
                  {at > 0 && <h3 className="text-sm text-muted">{title}</h3>}
                  <p className="user-text max-w-prose whitespace-pre-line">{text}</p>
                </div>
              ))}
              {more.length > 0 && <Facts facts={more} />}
            </div>
          )}
        </Panel>
        <ContextPanel context={shown.facts.context} />
        <OutputPorts id={id} shown={shown} />
        <AssetsPanel value={shown.value} />
        <InputPorts id={id} shown={shown} />
        <ManagementPorts value={shown.value} />
      </div>
      <div className="grid min-w-0 gap-5">
        <IncidentsPanel dataProductId={id} />
        <About shown={shown} />
        <Warnings id={id} stored={shown.stored} />
      </div>
      <div className="min-w-0 lg:col-span-2">
        <LineagePanel id={id} />
      </div>
    </div>
  )
}

const TEXTS: ReadonlySet<string> = new Set(['purpose', 'limitations', 'usage'])

const ASSETS_SHOWN_MAX = 10

/** The tables, views and topics that a data product's document names; nothing if it names none. */
function AssetsPanel({ value }: { value: Value }) {
  const ids = namedAssets(value)
  if (ids.length === 0) return null
  return (
    <Panel flush title="Assets" marks={<Count>{ids.length}</Count>}>
      <ul className="divide-y divide-line">
        {ids.slice(0, ASSETS_SHOWN_MAX).map((id) => (
          <li key={id} className="px-4 py-1.5">
            <NamedAsset id={id} />
          </li>
        ))}
      </ul>
      {ids.length > ASSETS_SHOWN_MAX && (
        <p className="border-t border-line px-4 py-1.5 text-sm text-muted">
          {ids.length - ASSETS_SHOWN_MAX} more in the document
        </p>
      )}
    </Panel>
  )
}

function NamedAsset({ id }: { id: string }) {
  const { data, isError } = api.useQuery('get', '/ui/assets/{id}', { params: { path: { id } } })
  if (data === undefined) {
    return (
      <p className="user-text min-h-6 text-sm text-muted">
        <code>{id}</code>
        {isError && ' is not in the catalog'}
      </p>
    )
  }
  const container = data.parents.map(({ name }) => name).join('.')
  return (
    <>
      <Link href={paths.asset(id)} className="flex min-h-6 min-w-0 items-center gap-2">
        <AssetIcon type={data.type} />
        <span className="user-text line-clamp-2">{data.name === '' ? id : data.name}</span>
      </Link>
      {container !== '' && <p className="user-text line-clamp-2 text-sm text-muted">{container}</p>}
    </>
  )
}

const WARNINGS_SHOWN_MAX = 8

/** The warnings of a document with their lines; nothing without warnings. */
function Warnings({ id, stored }: { id: string; stored: StoredText }) {
  const { text, mediaType, etag, owner } = stored
  const { data } = useQuery({
    queryKey: ['warnings', id, etag, mediaType, owner],
    queryFn: async () => await checkBeside({ reader: 'data-product', text, mediaType, id, owner }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const problems = data?.problems ?? []
  if (problems.length === 0) return null
  const rest = problems.length - WARNINGS_SHOWN_MAX
  return (
    <Panel title="Warnings" marks={problems.length}>
      <ul className="grid gap-2.5">
        {problems.slice(0, WARNINGS_SHOWN_MAX).map(({ field, message, line }, at) => (
          <li key={`${field} ${at}`} className="flex gap-2">
            <span className="mt-1">
              <ToneIcon tone="caution" />
            </span>
            <span className="user-text min-w-0">
              {field !== '' && <code className="mr-1">{field}</code>}
              {message} <span className="text-muted">Line {line}.</span>
            </span>
          </li>
        ))}
        {rest > 0 && (
          <li>
            <Link href={paths.editDataProduct(id)}>And {rest} more in the editor</Link>
          </li>
        )}
      </ul>
    </Panel>
  )
}
