import type { Schemas } from '../../api/client.ts'
import {
  Deprecations,
  listDeprecatedProducts,
  ResourceStanding,
} from '../../documents/deprecations.tsx'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { Avatar } from '../../parts/avatar.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

const SHOWN_MAX = 6

interface ProductsPanelProps {
  products: readonly Schemas['HomeProduct'][]
  areMine: boolean
}

/** The data products of the person's teams, or the latest ones when their teams have none. */
export function ProductsPanel({ products, areMine }: ProductsPanelProps) {
  return (
    <Panel
      flush
      title={areMine ? 'Products owned by your teams' : 'Latest data products'}
      actions={
        <Link href={paths.dataProducts} className="text-sm">
          All data products
        </Link>
      }
    >
      <ProductList products={products} />
    </Panel>
  )
}

/** The data products that the person follows. */
export function StarredPanel({ products }: Pick<ProductsPanelProps, 'products'>) {
  return (
    <Panel flush title="Followed">
      <ProductList products={products} />
    </Panel>
  )
}

function ProductList({ products }: Pick<ProductsPanelProps, 'products'>) {
  const shown = products.slice(0, SHOWN_MAX)
  return (
    <Deprecations of={listDeprecatedProducts(shown)}>
      <Trusts of={shown.map(({ id }) => ({ resourceType: 'DATA_PRODUCT', id }))}>
        <ul className="divide-y divide-line">
          {shown.map((product) => (
            <Product key={product.id} product={product} />
          ))}
        </ul>
      </Trusts>
    </Deprecations>
  )
}

function Product({ product }: { product: Schemas['HomeProduct'] }) {
  const { id, name, status, ownerId, ownerName, description, updatedAt } = product
  return (
    <li className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 px-4 py-2.5">
      <span className="pt-0.5">
        <Avatar name={ownerName} id={ownerId} kind="team" />
      </span>
      <div className="grid min-w-0">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <NameLink href={paths.dataProduct(id)} className="font-semibold" name={name} lines={2} />
          <ResourceStanding resourceType="DATA_PRODUCT" id={id} status={status} />
          <TrustMarks resourceType="DATA_PRODUCT" id={id} />
        </div>
        {description !== null && description !== '' && (
          <p className="user-text line-clamp-1 text-muted">{description}</p>
        )}
        <p className="flex min-w-0 items-baseline justify-between gap-3 text-sm">
          <NameLink href={paths.team(ownerId)} name={ownerName} lines={1} />
          <span className="shrink-0 text-muted">
            <Time at={updatedAt} />
          </span>
        </p>
      </div>
    </li>
  )
}
