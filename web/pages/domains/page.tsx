import { Component } from 'lucide-react'
import { useMemo } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { SortChoice } from '../../parts/choice-field.tsx'
import { TrustCounts } from '../../documents/trust-strip.tsx'
import { DomainBand } from '../../parts/avatar.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { listSorts, readSort } from '../../parts/sorts.ts'
import { numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { ProductsOfDomain } from './domain-page.tsx'
import { DOMAIN_SORTS, sortDomains } from './sort-domains.ts'

type Domain = Schemas['DomainSummary']

const URL_STATE = { sort: 'products', without: '' }

/** The domains of the organization as cards, or the data products without a domain. */
export function DomainsPage() {
  const [{ without }] = useUrlState(URL_STATE)
  return without === '' ? <AllDomains /> : <ProductsOfDomain domain="" title="Without a domain" />
}

function AllDomains() {
  const [{ sort: given }, setUrl] = useUrlState(URL_STATE)
  const sort = readSort(given, DOMAIN_SORTS)
  const query = api.useQuery('get', '/ui/domains', {})
  return (
    <Page
      title="Domains"
      actions={
        <SortChoice
          sorts={listSorts(DOMAIN_SORTS)}
          value={sort}
          onChange={(value) => setUrl({ sort: value })}
        />
      }
    >
      <Loaded query={query} skeleton={{ lines: 8, label: 'Loading the domains' }}>
        {(domains) => <DomainCards domains={domains} sort={sort} />}
      </Loaded>
    </Page>
  )
}

function DomainCards({ domains, sort }: { domains: readonly Domain[]; sort: string }) {
  const { reason } = maySomewhere(useSession(), 'TEAM_ADD')
  const sorted = useMemo(() => sortDomains(domains, sort), [domains, sort])
  if (sorted.length === 0) {
    return (
      <Empty
        icon={Component}
        title="No domains yet"
        action={
          <ButtonLink href={paths.newTeam()} reason={reason}>
            Create team
          </ButtonLink>
        }
      >
        A domain is a team of type Domain, or a domain that a data product names.
      </Empty>
    )
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {sorted.map((domain) => (
        <DomainCard key={domain.id} domain={domain} />
      ))}
    </ul>
  )
}

function DomainCard({ domain }: { domain: Domain }) {
  const { id, name, description, dataProducts, dataContracts, teams, updatedAt, trust } = domain
  // The card of all data products without a domain has no id.
  const hasDomain = id !== null
  const usual = hasDomain ? '' : 'Neither the document nor a team names a domain.'
  return (
    <li className="relative flex flex-col gap-2 overflow-hidden rounded-lg border border-line bg-surface p-4 hover:border-line-strong">
      {hasDomain && <DomainBand id={id} />}
      <h2 className="flex min-w-0 items-center text-lg">
        {/* The whole card can be clicked. */}
        <Link
          href={hasDomain ? paths.domain(id) : paths.domains({ without: 'yes' })}
          plain
          className="flex min-h-6 min-w-0 items-center after:absolute after:inset-0 hover:underline"
        >
          <span className="user-text line-clamp-2">{name ?? 'Without a domain'}</span>
        </Link>
      </h2>
      <p className="user-text line-clamp-2 text-muted">{description ?? usual}</p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        <DomainCount count={dataProducts} noun="product" />
        <DomainCount count={dataContracts} noun="contract" />
        {hasDomain && <DomainCount count={teams} noun="team" />}
      </dl>
      {dataProducts > 0 && <TrustCounts counts={trust} />}
      <p className="mt-auto text-sm text-faint">
        {updatedAt === null ? (
          'No data products yet'
        ) : (
          <>
            Changed <Time at={updatedAt} />
          </>
        )}
      </p>
    </li>
  )
}

function DomainCount({ count, noun }: { count: number; noun: string }) {
  return (
    <div className="flex flex-row-reverse items-baseline gap-1.5">
      <dt className="text-muted">{count === 1 ? noun : `${noun}s`}</dt>
      <dd className="figures text-lg font-semibold">{numberText(count)}</dd>
    </div>
  )
}
