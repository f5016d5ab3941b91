import { FileKey2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import type { AgreementView, ListedAgreement } from './access-words.ts'

/** The parties whose agreements a list contains. */
export interface ListQuery {
  list: 'inbox' | 'mine' | 'product' | 'consumer'
  view: AgreementView
  team?: string
  product?: string
}

/** Loads the agreements of a list page by page. */
export function useAgreements(query: ListQuery) {
  return api.useInfiniteQuery(
    'get',
    '/ui/access',
    { params: { query } },
    { pageParamName: 'after', initialPageParam: null, getNextPageParam: ({ next }) => next },
  )
}

interface PagedAgreementsProps {
  query: ReturnType<typeof useAgreements>
  /** The title and the text of an empty list. */
  empty: { title: string; text: ReactNode; action?: ReactNode }
  children: (agreements: readonly ListedAgreement[]) => ReactNode
}

/** The loaded pages of a list, and the button for the next one. */
export function PagedAgreements({ query, empty, children }: PagedAgreementsProps) {
  return (
    <>
      <Loaded query={query} skeleton={<Skeleton lines={8} label="Loading the agreements" />}>
        {({ pages }) => {
          const agreements = pages.flatMap((page) => page.agreements)
          if (agreements.length > 0) return children(agreements)
          return (
            <Empty icon={FileKey2} title={empty.title} action={empty.action}>
              {empty.text}
            </Empty>
          )
        }}
      </Loaded>
      {query.hasNextPage && (
        <div className="border-t border-line px-4 py-2">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </>
  )
}
