import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/integrations/$id/runs/$runId',
    title: 'Run',
    load: async () => (await import('./page.tsx')).RunPage,
  },
]
