import { Inbox } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/requests',
    title: 'Requests',
    load: async () => (await import('./page.tsx')).RequestsPage,
    icon: Inbox,
    group: 'start',
    keywords: 'access approve reject inbox agreements',
    counts: 'open requests',
  },
]
