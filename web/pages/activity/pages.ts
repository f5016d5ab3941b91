import { Activity } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/activity',
    title: 'Activity',
    load: async () => (await import('./page.tsx')).ActivityPage,
    icon: Activity,
    group: 'start',
    keywords: 'history changes log audit',
  },
]
