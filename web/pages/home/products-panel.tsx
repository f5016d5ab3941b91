import type { Schemas } from '../../api/client.ts'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { DocumentStatus } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

interface ProductsPanelProps {
  products: readonly Schemas['HomeProduct'][]
  areMine: boolean
}

/** The products of the person's teams, or the latest of all where these have none. */
export function ProductsPanel({ products, areMine }: ProductsPanelProps) {
  return (
    <Panel
      flush
      title={areMine ? 'Products of my teams' : 'Latest data products'}
      actions={
        products.length > 0 && (
          <Link href={paths.dataProducts} className="text-sm">
            All data products
          </Link>
        )
      }
    >
      {products.length === 0 ? (
        <Empty title="No data products yet">
          Here stand the products of your teams, once they are registered.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {products.map((product) => (
            <Product key={product.id} product={product} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Product({ product }: { product: Schemas['HomeProduct'] }) {
  const { id, name, status, ownerId, ownerName, description, updatedAt } = product
  return (
    <li className="grid px-4 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <ResourceIcon resourceType="DATA_PRODUCT" />
        <Link
          href={paths.dataProduct(id)}
          className="flex min-h-6 min-w-6 items-center font-semibold"
        >
          <span className="user-text line-clamp-2">{name}</span>
        </Link>
        <DocumentStatus status={status} />
      </div>
      {description !== null && description !== '' && (
        <p className="user-text line-clamp-1 text-muted">{description}</p>
      )}
      <p className="flex min-w-0 items-baseline justify-between gap-3 text-sm">
        <Link href={paths.team(ownerId)} className="flex min-h-6 min-w-6 items-center">
          <span className="user-text line-clamp-1">{ownerName}</span>
        </Link>
        <span className="shrink-0 text-muted">
          <Time at={updatedAt} />
        </span>
      </p>
    </li>
  )
}
