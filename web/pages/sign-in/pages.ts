import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/sign-in',
    title: 'Sign in',
    load: async () => (await import('./page.tsx')).SignInPage,
    seenBy: 'visitors',
  },
  {
    path: '/sign-in/$providerId/callback',
    title: 'Signing in',
    load: async () => (await import('./callback-page.tsx')).CallbackPage,
    seenBy: 'visitors',
  },
]
