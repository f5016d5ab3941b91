import { House } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/',
    title: 'Home',
    load: async () => (await import('./page.tsx')).HomePage,
    icon: House,
    group: 'start',
  },
]
