import { FileKey2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import type { AgreementView, ListedAgreement } from './access-words.ts'

/** The parties whose agreements a list contains. */
interface ListQuery {
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
    {
      ...BY_NEXT,
      select: ({ pages }) => ({
        agreements: pages.flatMap(({ agreements }) => agreements),
        counts: pages[0]?.counts ?? null,
      }),
    },
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
    <Loaded
      flush
      query={query}
      skeleton={{ lines: 8, label: 'Loading the agreements' }}
      empty={
        <Empty icon={FileKey2} title={empty.title} action={empty.action}>
          {empty.text}
        </Empty>
      }
      isEmpty={({ agreements }) => agreements.length === 0}
    >
      {({ agreements }) => children(agreements)}
    </Loaded>
  )
}
