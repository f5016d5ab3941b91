import { CodeXml } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/reference',
    title: 'API reference',
    load: async () => (await import('./page.tsx')).ReferencePage,
    shortTitle: 'API',
    icon: CodeXml,
    group: 'administration',
    keywords: 'openapi rest endpoints curl',
  },
]
