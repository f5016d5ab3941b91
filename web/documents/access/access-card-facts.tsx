import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { Link } from '../../parts/link.tsx'
import { cappedText } from '../../parts/number-text.ts'
import { Status } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import { READERS_MAX, summariesQuery, type AccessSummary } from './access-queries.ts'

const SummariesContext = createContext<ReadonlyMap<string, AccessSummary>>(new Map())

interface AccessSummariesProps {
  /** The data products of a list; their access is loaded together. */
  productIds: readonly string[]
  children: ReactNode
}

/** Provides the access to the data products of a list to its cards. */
export function AccessSummaries({ productIds, children }: AccessSummariesProps) {
  const { data } = useQuery(summariesQuery(productIds))
  const summaries = useMemo(
    () => new Map(data?.map((summary) => [summary.productId, summary])),
    [data],
  )
  return <SummariesContext value={summaries}>{children}</SummariesContext>
}

/** The readers of a data product, and the person's own access to it, on a card; nothing until it is loaded. */
export function AccessCardFacts({ productId }: { productId: string }) {
  const summary = use(SummariesContext).get(productId)
  if (summary === undefined) return null
  const { readers } = summary
  return (
    <>
      {readers > 0 && (
        <span>
          {cappedText(readers, READERS_MAX)} {readers === 1 ? 'reader' : 'readers'}
        </span>
      )}
      <OwnAccess {...summary} />
    </>
  )
}

function OwnAccess({ productId, mine, isOwn }: AccessSummary) {
  if (mine.some(({ state }) => state === 'active')) {
    return <Status tone="positive">You have access</Status>
  }
  if (mine.length > 0) {
    const isUpcoming = mine.some(({ state }) => state === 'upcoming')
    return <Status tone="info">{isUpcoming ? 'Access begins later' : 'Requested'}</Status>
  }
  // A team has the data that it owns.
  if (isOwn) return null
  return (
    <Link href={paths.dataProduct(productId)} className="flex min-h-6 items-center">
      Request access
    </Link>
  )
}
