import { FileKey2 } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/my-data',
    title: 'My data',
    load: async () => (await import('./page.tsx')).MyDataPage,
    icon: FileKey2,
    group: 'start',
    keywords: 'access requests follows agreements consumer',
  },
]
