import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/integrations/new',
    title: 'Integration new',
    load: async () => (await import('./edit-page.tsx')).EditIntegrationPage,
  },
  {
    path: '/integrations/$id',
    title: 'Integration',
    load: async () => (await import('./page.tsx')).IntegrationPage,
  },
  {
    path: '/integrations/$id/edit',
    title: 'Integration edit',
    load: async () => (await import('./edit-page.tsx')).EditIntegrationPage,
  },
]
