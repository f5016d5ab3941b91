import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/reset-password',
    title: 'Reset password',
    load: async () => (await import('./page.tsx')).ResetPasswordPage,
    isPublic: true,
  },
]
