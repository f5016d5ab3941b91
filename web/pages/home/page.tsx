import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { RECORD_KINDS } from '../../../formats/record/kinds.ts'
import { api, type Answer } from '../../api/client.ts'
import { TrustCounts } from '../../documents/trust-strip.tsx'
import { addCounts, listLevels } from '../../documents/trust-words.ts'
import { DomainSpot } from '../../parts/avatar.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Page, Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { paths, getRecordPaths } from '../../paths.ts'
import { AttentionPanel } from './attention-panel.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ProductsPanel, StarredPanel } from './products-panel.tsx'
import { WeekPanel } from './week-panel.tsx'

/** The first page: search, the products of one's teams, the week, and what needs attention. */
export function HomePage() {
  const home = api.useQuery('get', '/ui/home', {})
  return (
    <Page title="Home">
      <HomeSearch />
      <Loaded query={home} skeleton={<HomeSkeleton />}>
        {(data) => <HomeContent home={data} />}
      </Loaded>
    </Page>
  )
}

function HomeSearch() {
  const router = useRouter()
  const [query, setQuery] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    router.history.push(paths.search({ query }))
  }
  return (
    <form role="search" onSubmit={submit} className="mb-4 flex gap-2">
      <div className="relative min-w-0 flex-1">
        <Search
          size={18}
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-faint"
        />
        <input
          aria-label="Search the catalog"
          className="h-11 w-full min-w-0 rounded-md border border-line-strong bg-surface pr-3 pl-10 text-lg text-ink text-ellipsis placeholder:text-faint"
          placeholder="Find a product, contract, table, column or team"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
      </div>
      <Button type="submit" look="primary" className="h-11">
        Search
      </Button>
    </form>
  )
}

// On a phone everything is one column, and what needs attention comes first.
function HomeContent({ home }: { home: Answer<'/ui/home', 'get'> }) {
  const { counts, products, productsAreMine, starred, activity, attention } = home
  // There is little to show yet: the steps that change it take the whole width.
  const isNew = products.length === 0
  return (
    <div className="grid gap-5">
      <div className="grid gap-1">
        <CountsStrip counts={counts} />
        <TrustSummary />
      </div>
      {isNew && <FirstSteps />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="grid min-w-0 gap-5 xl:col-start-2 xl:row-start-1">
          <AttentionPanel attention={attention} />
          {!isNew && <FirstSteps />}
          <div className="grid max-xl:hidden">
            <DomainsPanel />
          </div>
        </div>
        <div className="grid min-w-0 gap-5 xl:col-start-1 xl:row-start-1">
          {starred.length > 0 && <StarredPanel products={starred} />}
          {!isNew && <ProductsPanel products={products} areMine={productsAreMine} />}
          <div className="grid xl:hidden">
            <DomainsPanel />
          </div>
          <WeekPanel activity={activity} />
        </div>
      </div>
    </div>
  )
}

function HomeSkeleton() {
  return (
    <div className="grid gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
      <Skeleton lines={8} label="Loading your page" />
      <div className="hidden xl:block" aria-hidden>
        <Skeleton lines={5} />
      </div>
    </div>
  )
}

/** The size of the catalog, each number a link; kinds of which there are none are left out. */
function CountsStrip({ counts }: { counts: Answer<'/ui/home', 'get'>['counts'] }) {
  const entries = [
    { title: 'data products', href: paths.dataProducts, count: counts.dataProducts },
    { title: 'data contracts', href: paths.dataContracts, count: counts.dataContracts },
    { title: 'teams', href: paths.teams, count: counts.teams },
    { title: 'assets', href: paths.assets(), count: counts.assets },
    {
      title: 'source systems',
      href: getRecordPaths(RECORD_KINDS['source-system']).list,
      count: counts.sourceSystems,
    },
    { title: 'integrations', href: paths.integrations, count: counts.integrations },
  ].filter(({ count }) => count > 0)
  if (entries.length === 0) return null
  return (
    <ul aria-label="In the catalog" className="flex flex-wrap gap-x-6 gap-y-1">
      {entries.map(({ title, href, count }) => (
        <li key={href}>
          <Link
            href={href}
            plain
            className="inline-flex min-h-7 items-baseline gap-1.5 rounded text-muted hover:text-ink hover:underline"
          >
            <span className="font-semibold text-ink">{numberText(count)}</span>
            {count === 1 ? title.replace(/s$/, '') : title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The data products by their worst signal, each number a link to them; nothing without any. */
function TrustSummary() {
  const { data = [] } = useQuery(domainsQuery)
  const levels = listLevels(addCounts(data.map(({ trust }) => trust)))
  if (levels.length === 0) return null
  return (
    <ul aria-label="Trust of the data products" className="flex flex-wrap gap-x-6 gap-y-1">
      <li aria-hidden className="flex min-h-7 items-center text-muted">
        Trust of the products:
      </li>
      {levels.map(({ level, text }) => (
        <li key={level}>
          <Link
            href={paths.search({ resourceType: 'DATA_PRODUCT', trust: level })}
            plain
            className="inline-flex min-h-7 items-center gap-1.5 rounded text-muted hover:text-ink hover:underline"
          >
            <ToneIcon tone={level} />
            {text}
          </Link>
        </li>
      ))}
    </ul>
  )
}

const domainsQuery = api.queryOptions('get', '/ui/domains', {}, { staleTime: 60_000 })

const SHOWN_MAX = 6

/** The domains with the most data products; nothing when no product is in one. */
function DomainsPanel() {
  const { data = [] } = useQuery(domainsQuery)
  const shown = data.filter(({ id, dataProducts }) => id !== null && dataProducts > 0)
  if (shown.length === 0) return null
  return (
    <Panel
      flush
      title="Browse by domain"
      actions={
        <Link href={paths.domains()} className="text-sm">
          All domains
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {shown.slice(0, SHOWN_MAX).map(({ id, name, dataProducts, trust }) => (
          <li key={id}>
            <Link
              href={paths.domain(id ?? '')}
              plain
              className="flex items-center gap-2.5 px-4 py-2 hover:bg-hover/60"
            >
              <DomainSpot id={id ?? ''} />
              <span className="user-text line-clamp-1 min-w-0 flex-1">{name}</span>
              <TrustCounts counts={trust} />
              <span className="figures min-w-20 text-right text-sm text-muted">
                {numberText(dataProducts)} {dataProducts === 1 ? 'product' : 'products'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
