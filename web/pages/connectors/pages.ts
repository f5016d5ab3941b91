import { Plug } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/connectors',
    title: 'Connectors',
    load: async () => (await import('./page.tsx')).ConnectorsPage,
    icon: Plug,
    group: 'platform',
    keywords: 'programs state health synchronization',
  },
  {
    path: '/connectors/new',
    title: 'Register connector',
    load: async () => (await import('./new-page.tsx')).NewConnectorPage,
  },
  {
    path: '/connectors/$id',
    title: 'Connector',
    load: async () => (await import('./connector-page.tsx')).ConnectorPage,
  },
  {
    path: '/connectors/$id/edit',
    title: 'Edit connector',
    load: async () => (await import('./edit-page.tsx')).EditConnectorPage,
  },
]
