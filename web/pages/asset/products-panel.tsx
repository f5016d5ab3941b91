import type { Schemas } from '../../api/client.ts'
import { NameLink } from '../../parts/link.tsx'
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
              <NameLink href={paths.dataProduct(id)} name={name} lines={2} />
              <NameLink
                href={paths.team(ownerId)}
                plain
                className="text-sm text-muted hover:underline"
                name={ownerName}
                lines={1}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
