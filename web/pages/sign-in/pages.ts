import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/sign-in',
    title: 'Sign in',
    load: async () => (await import('./page.tsx')).SignInPage,
    isPublic: true,
  },
]
