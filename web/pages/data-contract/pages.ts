import { FileText } from 'lucide-react'
import { paths } from '../../paths.ts'
import type { PageRecord } from '../../shell/page-record.ts'
import { atButton, needOnItsTeam } from '../../shell/page-rights.ts'

/** The pages of this folder. */
export const pages: readonly PageRecord[] = [
  {
    path: '/data-contracts',
    title: 'Data contracts',
    redirect: paths.dataContracts,
    icon: FileText,
    group: 'catalog',
    seenBy: 'everyone',
  },
  {
    path: '/data-contracts/new',
    title: 'Data contract new',
    load: async () => (await import('./edit-page.tsx')).EditDataContractPage,
    seenBy: 'everyone',
    needs: needOnItsTeam('DATACONTRACT_ADD'),
  },
  {
    path: '/data-contracts/$id',
    title: 'Data contract',
    load: async () => (await import('./page.tsx')).DataContractPage,
    seenBy: 'everyone',
    needs: atButton(needOnItsTeam('DATACONTRACT_EDIT')),
  },
  {
    path: '/data-contracts/$id/edit',
    title: 'Data contract edit',
    load: async () => (await import('./edit-page.tsx')).EditDataContractPage,
    seenBy: 'everyone',
    needs: needOnItsTeam('DATACONTRACT_EDIT'),
  },
  {
    path: '/data-contracts/$id/versions',
    title: 'Data contract versions',
    load: async () => (await import('./versions-page.tsx')).DataContractVersionsPage,
    seenBy: 'everyone',
  },
]
