import { namedAssets } from '../../../formats/asset/named-assets.ts'
import type { Value } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { AssetIcon } from '../../parts/asset-kind.tsx'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { Count } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'

const SHOWN_MAX = 10

/** The tables, views and topics that a data product's document names; nothing if it names none. */
export function AssetsPanel({ value }: { value: Value }) {
  const ids = namedAssets(value)
  if (ids.length === 0) return null
  return (
    <Panel flush title="Assets" marks={<Count>{ids.length}</Count>}>
      <ul className="divide-y divide-line">
        {ids.slice(0, SHOWN_MAX).map((id) => (
          <li key={id} className="px-4 py-1.5">
            <NamedAsset id={id} />
          </li>
        ))}
      </ul>
      {ids.length > SHOWN_MAX && (
        <p className="border-t border-line px-4 py-1.5 text-sm text-muted">
          {ids.length - SHOWN_MAX} more in the document
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
