import { Boxes } from 'lucide-react'
import { api, type Schemas } from '../../api/client.ts'
import { useTeams } from '../../api/teams.ts'
import { resolveDomain, TeamLink } from '../../documents/team-link.tsx'
import {
  Deprecations,
  listDeprecatedProducts,
  ResourceStanding,
} from '../../documents/deprecations.tsx'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { DomainBand, DomainSpot } from '../../parts/avatar.tsx'
import { SortChoice } from '../../parts/choice-field.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { listSorts, readSort } from '../../parts/sorts.ts'
import { Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'

const TRAIL = [{ title: 'Domains', href: paths.domains() }]
const URL_STATE = { sort: 'name' }
const PAGE_PRODUCTS = '24'
const PRODUCT_SORTS = ['name', 'changed', 'readers'] as const

/** The data products of one domain. */
export function DomainPage() {
  const teams = useTeams()
  const { id, name } = resolveDomain(teams ?? [], usePathId() ?? '')
  const team = teams?.find((one) => one.id === id)
  return (
    <ProductsOfDomain
      domain={id}
      title={name}
      description={team?.description ?? undefined}
      hasTeam={team !== undefined}
      isUnknown={teams !== undefined && team === undefined}
    />
  )
}

interface ProductsOfDomainProps {
  /** Empty = the products without a domain. */
  domain: string
  title: string
  description?: string | undefined
  hasTeam?: boolean
  /** Whether nothing but data products could make it exist. */
  isUnknown?: boolean
}

/** The data products of one domain as cards. */
export function ProductsOfDomain({
  domain,
  title,
  description,
  hasTeam = false,
  isUnknown = false,
}: ProductsOfDomainProps) {
  const [{ sort }, setUrl] = useUrlState(URL_STATE)
  const order = readSort(sort, PRODUCT_SORTS)
  const list = api.useInfiniteQuery(
    'get',
    '/ui/domains/products',
    { params: { query: { domain, sort: order, limit: PAGE_PRODUCTS } } },
    {
      pageParamName: 'p',
      initialPageParam: 0,
      getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length : undefined),
      select: ({ pages }) => pages.flatMap(({ products }) => products),
    },
  )
  return (
    <Page
      title={title}
      trail={TRAIL}
      marks={domain !== '' && <DomainSpot id={domain} />}
      facts={
        hasTeam ? (
          <Link href={paths.team(domain)} className="flex min-h-6 items-center">
            Team and members
          </Link>
        ) : undefined
      }
      actions={
        <SortChoice
          sorts={listSorts(PRODUCT_SORTS)}
          value={order}
          onChange={(value) => setUrl({ sort: value })}
        />
      }
    >
      {description !== undefined && description !== '' && (
        <p className="user-text mb-5 max-w-prose text-muted">{description}</p>
      )}
      <Loaded
        query={list}
        skeleton={{ lines: 8, label: 'Loading the data products' }}
        empty={<NoProducts isUnknown={isUnknown} />}
      >
        {(products) => <ProductCards products={products} domain={domain} />}
      </Loaded>
    </Page>
  )
}

function NoProducts({ isUnknown }: { isUnknown: boolean }) {
  if (isUnknown) {
    return (
      <MissingThing called="domain" action={<Link href={paths.domains()}>See all domains</Link>}>
        It appears when data products name it, or when a team of the type Domain has its id.
      </MissingThing>
    )
  }
  return (
    <Empty icon={Boxes} title="No data products in this domain">
      Data products appear here when they name this domain, or when a team of the domain owns them.
    </Empty>
  )
}

type Product = Schemas['DomainProduct']

function ProductCards({ products, domain }: { products: readonly Product[]; domain: string }) {
  return (
    <Deprecations of={listDeprecatedProducts(products)}>
      <Trusts of={products.map(({ id }) => ({ resourceType: 'DATA_PRODUCT', id }))}>
        <ul aria-label="Data products" className="grid gap-4 md:grid-cols-2 xl:grid-cols-3">
          {products.map((product) => (
            <ProductCard key={product.id} product={product} domain={domain} />
          ))}
        </ul>
      </Trusts>
    </Deprecations>
  )
}

function ProductCard({ product, domain }: { product: Product; domain: string }) {
  const { id, name, status, archetype, ownerId, ownerName, description, updatedAt } = product
  return (
    <li className="relative flex flex-col gap-2.5 overflow-hidden rounded-lg border border-line bg-surface p-4 hover:border-line-strong">
      {domain !== '' && <DomainBand id={domain} />}
      <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 text-lg">
          <NameLink
            href={paths.dataProduct(id)}
            plain
            className="after:absolute after:inset-0 hover:underline"
            name={name}
            lines={2}
          />
        </h2>
        <ResourceStanding resourceType="DATA_PRODUCT" id={id} status={status} />
        <TrustMarks resourceType="DATA_PRODUCT" id={id} />
        {archetype !== null && <Tag>{archetype}</Tag>}
      </div>
      <p className="user-text line-clamp-3 text-muted">
        {description === null || description === '' ? 'No description' : description}
      </p>
      <Ports product={product} />
      <p className="mt-auto flex min-w-0 items-center justify-between gap-3 text-sm">
        <span className="relative flex min-w-0">
          <TeamLink id={ownerId} name={ownerName} />
        </span>
        <span className="shrink-0 text-muted">
          <Time at={updatedAt} />
        </span>
      </p>
    </li>
  )
}

function Ports({ product: { ports, portCount } }: { product: Product }) {
  if (portCount === 0) return <p className="text-sm text-faint">No ports</p>
  const rest = portCount - ports.length
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-1 text-sm text-muted">
      <span className="mr-1">{portCount === 1 ? 'Port' : 'Ports'}</span>
      {ports.map((port) => (
        <Tag key={port}>
          <span className="line-clamp-1">{port}</span>
        </Tag>
      ))}
      {rest > 0 && <span>+{rest}</span>}
    </p>
  )
}
