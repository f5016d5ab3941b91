import type { ReactNode } from 'react'
import { Empty, ProblemNotice, Skeleton, type ShownProblem } from './notice.tsx'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The placeholder until the response arrives; lines by default. */
  skeleton?: ReactNode
  /** The content if the resource does not exist (404). */
  missing?: ReactNode
  children: (data: Data) => ReactNode
}

/** Shows a skeleton while loading, then the error or the data. */
export function Loaded<Data>({ query, skeleton, missing, children }: LoadedProps<Data>) {
  // What is known stays on the page when a later look fails.
  if (query.data !== undefined) return children(query.data)
  if (query.error === null || query.error === undefined) return skeleton ?? <Skeleton />
  const problem = asShown(query.error)
  if (problem.status === 404) {
    return (
      missing ?? (
        <Empty title="Not found">
          It may have been deleted, or it belongs to another organization. You can switch the
          organization at the top left.
        </Empty>
      )
    )
  }
  return <ProblemNotice problem={problem} onRetry={() => void query.refetch()} />
}

function asShown(error: unknown): ShownProblem & { status: number } {
  if (isShown(error)) return error
  const message = error instanceof Error ? error.message : ''
  return { status: 0, title: 'Loading failed', message, violations: [] }
}

function isShown(error: unknown): error is ShownProblem & { status: number } {
  return error instanceof Error && 'title' in error && 'violations' in error && 'status' in error
}
