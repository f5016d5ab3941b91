import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/unsubscribe',
    title: 'Stop e-mails',
    load: async () => (await import('./page.tsx')).UnsubscribePage,
    isPublic: true,
  },
]
