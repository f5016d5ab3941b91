import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/invitation',
    title: 'Invitation',
    load: async () => (await import('./page.tsx')).InvitationPage,
    isPublic: true,
  },
]
