import { Bell } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/notifications',
    title: 'Notifications',
    load: async () => (await import('./page.tsx')).NotificationsPage,
    icon: Bell,
    keywords: 'unread inbox alerts',
  },
]
