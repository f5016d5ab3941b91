import type { ReactNode } from 'react'
import { Empty, ProblemNotice, Skeleton } from './notice.tsx'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** What stands here until the answer comes; otherwise lines. */
  skeleton?: ReactNode
  /** What stands here when there is no such thing (404). */
  missing?: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows what was asked for: a skeleton first, the refusal when there is one, or the data. */
export function Loaded<Data>({ query, skeleton, missing, children }: LoadedProps<Data>) {
  // What is known stays on the page when a later look fails.
  if (query.data !== undefined) return children(query.data)
  if (query.error === null || query.error === undefined) return skeleton ?? <Skeleton />
  const problem = asShown(query.error)
  if (problem.status === 404) {
    return (
      missing ?? (
        <Empty title="Not found">
          There is nothing under this address, or it belongs to another organization: you can switch
          the organization at the top left.
        </Empty>
      )
    )
  }
  return <ProblemNotice problem={problem} onRetry={() => void query.refetch()} />
}

function asShown(error: unknown) {
  const shown = { status: 0, title: 'This could not be loaded', message: '', violations: [] }
  if (!(error instanceof Error)) return shown
  const title = 'title' in error ? String(error.title) : shown.title
  const status = 'status' in error && typeof error.status === 'number' ? error.status : 0
  return { ...shown, status, title, message: error.message }
}
