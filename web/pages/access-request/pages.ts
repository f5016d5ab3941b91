import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/access/new',
    title: 'Request access',
    load: async () => (await import('./page.tsx')).RequestAccessPage,
  },
]
