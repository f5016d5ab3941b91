import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/access/$id',
    title: 'Access agreement',
    load: async () => (await import('./page.tsx')).AgreementPage,
  },
]
