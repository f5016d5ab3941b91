import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/teams/new',
    title: 'Team new',
    load: async () => (await import('./edit-page.tsx')).EditTeamPage,
  },
  {
    path: '/teams/$id',
    title: 'Team',
    load: async () => (await import('./page.tsx')).TeamPage,
  },
  {
    path: '/teams/$id/edit',
    title: 'Team edit',
    load: async () => (await import('./edit-page.tsx')).EditTeamPage,
  },
]
