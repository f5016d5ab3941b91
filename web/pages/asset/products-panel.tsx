import type { Schemas } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { Count } from '../../parts/tabs.tsx'
import { paths } from '../../paths.ts'

/** The data products whose ports use an asset. */
export function ProductsPanel({ products }: { products: Schemas['AssetPage']['products'] }) {
  return (
    <Panel flush title="Used by" marks={products.length > 0 && <Count>{products.length}</Count>}>
      {products.length === 0 ? (
        <p className="px-4 py-4 text-muted">
          No data product uses this asset. Add its id to a port, under <code>assets</code>.
        </p>
      ) : (
        <ul className="max-h-80 divide-y divide-line overflow-y-auto">
          {products.map(({ id, name, ownerId, ownerName }) => (
            <li key={id} className="grid justify-items-start gap-1 px-4 py-1.5">
              <Link href={paths.dataProduct(id)} className="flex min-h-6 min-w-6 items-center">
                <span className="user-text line-clamp-2">{name}</span>
              </Link>
              <Link
                href={paths.team(ownerId)}
                plain
                className="flex min-h-6 min-w-6 items-center text-sm text-muted hover:underline"
              >
                <span className="user-text line-clamp-1">{ownerName}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
