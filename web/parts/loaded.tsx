import { createContext, isValidElement, use, type ReactElement, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty, ProblemNotice, Skeleton, type ShownProblem, type SkeletonProps } from './notice.tsx'
import { Page, Panel, type PageProps, type PanelProps } from './page.tsx'

/** The content of a resource that does not exist, unless `missing` is given. */
export const MissingContext = createContext<ReactNode>(<Empty title="Not found">{null}</Empty>)

/** A query as the hooks of the API return it. */
interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
  /** An infinite query only: whether and how it loads the next page. */
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => unknown
}

interface LoadedProps<Data> {
  query: Query<Data>
  /** The placeholder until the response arrives: lines, or an element. */
  skeleton?: SkeletonProps | ReactElement
  /** The content if the resource does not exist (404). */
  missing?: ReactNode
  /** The content if `isEmpty`; a list is empty if it has no elements. */
  empty?: ReactNode
  isEmpty?: (data: Data) => boolean
  /** Whether the surrounding element has no padding, as that of a table. */
  flush?: boolean
  /** The button below the rows that loads the next page. */
  more?: { label?: string; className?: string }
  /** The page around the placeholder or the error; the content is a page itself. */
  frame?: Omit<PageProps, 'children'>
  children: (data: Data) => ReactNode
}

/**
 * Shows a skeleton while loading, then the error, the empty state or the data, and below the data of an
 * infinite query the button for its next page.
 */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, empty, isEmpty = isEmptyList, flush = false, more, frame, children } = props
  // What is known stays on the page when a later look fails.
  if (query.data === undefined) {
    const placeholder = <Placeholder {...props} />
    return frame === undefined ? placeholder : <Page {...frame}>{placeholder}</Page>
  }
  return (
    <>
      {empty !== undefined && isEmpty(query.data) ? empty : children(query.data)}
      {query.hasNextPage === true && <NextPage query={query} flush={flush} {...more} />}
    </>
  )
}

type QueryPanelProps<Data> = Omit<LoadedProps<Data>, 'frame'> & Omit<PanelProps, 'children'>

/** A panel whose content is loaded. */
export function QueryPanel<Data>(props: QueryPanelProps<Data>) {
  return (
    <Panel {...props}>
      <Loaded {...props} />
    </Panel>
  )
}

type PlaceholderProps<Data> = Pick<LoadedProps<Data>, 'query' | 'skeleton' | 'missing'>

function Placeholder<Data>({ query, skeleton, missing }: PlaceholderProps<Data>) {
  const usual = use(MissingContext)
  if (query.error === null || query.error === undefined) {
    return isValidElement(skeleton) ? skeleton : <Skeleton {...skeleton} />
  }
  const problem = asShown(query.error)
  if (problem.status === 404) return missing ?? usual
  // The same request would be denied again.
  if (problem.status === 403) return <ProblemNotice problem={problem} />
  return <ProblemNotice problem={problem} onRetry={() => void query.refetch()} />
}

interface NextPageProps {
  query: Pick<Query<unknown>, 'isFetchingNextPage' | 'fetchNextPage'>
  flush: boolean
  label?: string
  className?: string
}

function NextPage({ query, flush, label = 'Show more', className = 'mt-4' }: NextPageProps) {
  const { isFetchingNextPage = false, fetchNextPage } = query
  const button = (
    <Button
      {...(flush ? {} : { className })}
      busy={isFetchingNextPage}
      onClick={() => void fetchNextPage?.()}
    >
      {label}
    </Button>
  )
  return flush ? <div className="border-t border-line px-4 py-2">{button}</div> : button
}

function isEmptyList(data: unknown): boolean {
  return Array.isArray(data) && data.length === 0
}

function asShown(error: unknown): ShownProblem & { status: number } {
  if (isShown(error)) return error
  const message = error instanceof Error ? error.message : ''
  return { status: 0, title: 'Loading failed', message, violations: [] }
}

function isShown(error: unknown): error is ShownProblem & { status: number } {
  return error instanceof Error && 'title' in error && 'violations' in error && 'status' in error
}
