import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/assets/$id',
    title: 'Asset',
    load: async () => (await import('./page.tsx')).AssetPage,
  },
]
