import { Table2 } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/assets',
    title: 'Assets',
    load: async () => (await import('./page.tsx')).AssetsPage,
    icon: Table2,
    group: 'catalog',
    keywords: 'tables columns schemas databases',
  },
]
