import { UsersRound } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/teams',
    title: 'Teams',
    load: async () => (await import('./page.tsx')).TeamsPage,
    icon: UsersRound,
    group: 'catalog',
    keywords: 'domains owners',
  },
]
