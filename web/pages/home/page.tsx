import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { AttentionPanel } from './attention-panel.tsx'
import { CountsStrip } from './counts-strip.tsx'
import { DomainsPanel } from './domains-panel.tsx'
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
      <CountsStrip counts={counts} />
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
