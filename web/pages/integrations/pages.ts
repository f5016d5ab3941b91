import { Cable } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/integrations',
    title: 'Integrations',
    load: async () => (await import('./page.tsx')).IntegrationsPage,
    icon: Cable,
    group: 'catalog',
    keywords: 'sources connectors runs ingestion',
  },
]
