import { KeyRound } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/api-keys',
    title: 'API keys',
    load: async () => (await import('./page.tsx')).ApiKeysPage,
    icon: KeyRound,
    group: 'administration',
    keywords: 'tokens secrets',
  },
]
