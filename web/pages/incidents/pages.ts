import { FlaskConical, Siren } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of incidents and of test results. */
export const pages: readonly PageRecord[] = [
  {
    path: '/incidents',
    title: 'Incidents',
    load: async () => (await import('./page.tsx')).IncidentsPage,
    icon: Siren,
    keywords: 'failing late drift alerts',
    seenBy: 'everyone',
  },
  {
    path: '/test-results',
    title: 'Test results',
    load: async () => (await import('../test-results/page.tsx')).TestResultsPage,
    icon: FlaskConical,
    keywords: 'tests checks quality passed failed ci',
    seenBy: 'everyone',
  },
  {
    path: '/test-results/$id',
    title: 'Test result',
    load: async () => (await import('../test-results/result-page.tsx')).TestResultPage,
    seenBy: 'everyone',
  },
]
