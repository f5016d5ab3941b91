import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { Status } from '../../parts/status.tsx'
import { summariesQuery, type AccessSummary } from './access-queries.ts'

const SummariesContext = createContext<ReadonlyMap<string, AccessSummary>>(new Map())

interface AccessSummariesProps {
  /** The data products of a list; their access is loaded together. */
  productIds: readonly string[]
  children: ReactNode
}

/** Provides the access to the data products of a list to its rows. */
export function AccessSummaries({ productIds, children }: AccessSummariesProps) {
  const { data } = useQuery(summariesQuery(productIds))
  const summaries = useMemo(
    () => new Map(data?.map((summary) => [summary.productId, summary])),
    [data],
  )
  return <SummariesContext value={summaries}>{children}</SummariesContext>
}

/** The person's own access to a data product of a list; nothing until it is loaded, and without access. */
export function OwnAccess({ productId }: { productId: string }) {
  const mine = use(SummariesContext).get(productId)?.mine ?? []
  if (mine.length === 0) return null
  if (mine.some(({ state }) => state === 'active')) {
    return <Status tone="positive">You have access</Status>
  }
  const isUpcoming = mine.some(({ state }) => state === 'upcoming')
  return <Status tone="info">{isUpcoming ? 'Access begins later' : 'Requested'}</Status>
}

/** Returns whether a data product offers a request: the person's teams do not own it, and no request is open. */
export function useMayRequest(productId: string): boolean {
  const summary = use(SummariesContext).get(productId)
  return summary?.mine.length === 0 && !summary.isOwn
}
