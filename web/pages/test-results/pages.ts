import { FlaskConical } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of test results. */
export const pages: readonly PageRecord[] = [
  {
    path: '/test-results',
    title: 'Test results',
    load: async () => (await import('./page.tsx')).TestResultsPage,
    icon: FlaskConical,
    keywords: 'tests checks quality passed failed ci',
    seenBy: 'everyone',
  },
  {
    path: '/test-results/$id',
    title: 'Test result',
    load: async () => (await import('./result-page.tsx')).TestResultPage,
    seenBy: 'everyone',
  },
]
