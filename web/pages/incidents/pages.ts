import { Siren } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of incidents. */
export const pages: readonly PageRecord[] = [
  {
    path: '/incidents',
    title: 'Incidents',
    load: async () => (await import('./page.tsx')).IncidentsPage,
    icon: Siren,
    keywords: 'failing late drift alerts',
    seenBy: 'everyone',
  },
]
