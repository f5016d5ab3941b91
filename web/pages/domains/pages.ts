import { Component } from 'lucide-react'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/domains',
    title: 'Domains',
    load: async () => (await import('./page.tsx')).DomainsPage,
    icon: Component,
    group: 'catalog',
    keywords: 'browse marketplace catalog',
  },
  {
    path: '/domains/$id',
    title: 'Domain',
    load: async () => (await import('./domain-page.tsx')).DomainPage,
  },
]
