import { GitCompareArrows } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/drift',
    title: 'Drift',
    load: async () => (await import('./page.tsx')).DriftPage,
    icon: GitCompareArrows,
    group: 'catalog',
    keywords: 'reality differences schema changes tables promises contract broken',
    seenBy: 'everyone',
  },
]
