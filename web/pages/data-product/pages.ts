import { Boxes } from 'lucide-react'
import { paths } from '../../paths.ts'
import type { PageRecord } from '../../shell/page-record.ts'
import { atButton, needOnItsTeam } from '../../shell/page-rights.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/data-products',
    title: 'Data products',
    redirect: paths.dataProducts,
    icon: Boxes,
    group: 'catalog',
    seenBy: 'everyone',
  },
  {
    path: '/data-products/new',
    title: 'Data product new',
    load: async () => (await import('./edit-page.tsx')).EditDataProductPage,
    seenBy: 'everyone',
    needs: needOnItsTeam('DATAPRODUCT_ADD'),
  },
  {
    path: '/data-products/$id',
    title: 'Data product',
    load: async () => (await import('./page.tsx')).DataProductPage,
    seenBy: 'everyone',
    needs: atButton(needOnItsTeam('DATAPRODUCT_EDIT')),
  },
  {
    path: '/data-products/$id/edit',
    title: 'Data product edit',
    load: async () => (await import('./edit-page.tsx')).EditDataProductPage,
    seenBy: 'everyone',
    needs: needOnItsTeam('DATAPRODUCT_EDIT'),
  },
  {
    path: '/data-products/$id/versions',
    title: 'Data product versions',
    load: async () => (await import('./versions-page.tsx')).DataProductVersionsPage,
    seenBy: 'everyone',
  },
  {
    path: '/data-products/$id/lineage',
    title: 'Data product lineage',
    load: async () => (await import('./lineage-page.tsx')).LineagePage,
    seenBy: 'everyone',
  },
]
