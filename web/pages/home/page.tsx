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
import { ChangesPanel } from './changes-panel.tsx'
import { CountsStrip } from './counts-strip.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ProductsPanel } from './products-panel.tsx'

/** The first page: search, what is mine, what changed, and what waits for me. */
export function HomePage() {
  const home = api.useQuery('get', '/ui/home', {})
  return (
    <Page title="Home">
      <HomeSearch />
      <Loaded query={home} skeleton={<HomeSkeleton />}>
        {(data) => <Shown home={data} />}
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

// What waits comes first where all stands in one column, and at the side where there is room. The
// week is a list of lines, which want the whole width.
function Shown({ home }: { home: Answer<'/ui/home', 'get'> }) {
  const { counts, products, productsAreMine, changes, attention } = home
  const isNew = counts.dataProducts === 0
  return (
    <div className="grid gap-5">
      <CountsStrip counts={counts} />
      {isNew && <FirstSteps />}
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <div className="grid min-w-0 gap-5 xl:col-start-2 xl:row-start-1">
          <AttentionPanel attention={attention} />
          {!isNew && <FirstSteps />}
        </div>
        <div className="grid min-w-0 xl:col-start-1 xl:row-start-1">
          <ProductsPanel products={products} areMine={productsAreMine} />
        </div>
        <div className="grid min-w-0 xl:col-span-2">
          <ChangesPanel changes={changes} />
        </div>
      </div>
    </div>
  )
}

function HomeSkeleton() {
  return (
    <div className="grid gap-5 xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
      <Skeleton lines={8} label="Loading your page" />
      <div className="hidden xl:block" aria-hidden>
        <Skeleton lines={5} />
      </div>
    </div>
  )
}
