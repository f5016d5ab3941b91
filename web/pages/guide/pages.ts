import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/guides/$id',
    title: 'Guide',
    load: async () => (await import('./page.tsx')).GuidePage,
    isPublic: true,
  },
]
