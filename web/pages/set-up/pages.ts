import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/set-up',
    title: 'Set up',
    load: async () => (await import('./page.tsx')).SetUpPage,
    isPublic: true,
  },
]
