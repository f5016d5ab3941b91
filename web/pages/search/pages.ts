import { Search } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/search',
    title: 'Search',
    load: async () => (await import('./page.tsx')).SearchPage,
    icon: Search,
    group: 'start',
    keywords: 'find',
  },
]
