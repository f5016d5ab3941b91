import { RECORDS, type DeclaredKind } from '../../../formats/record/kinds.ts'
import { RECORD_ICONS, resourceWord } from '../../parts/resource-types.ts'
import { getRecordPaths } from '../../paths.ts'
import type { PageRecord } from '../../shell/page-record.ts'
import { atButton, needOnItsTeam, needOwner, type PageNeed } from '../../shell/page-rights.ts'

/** The pages of all kinds of records. */
export const pages: readonly PageRecord[] = RECORDS.flatMap(createPages)

/** Creates the pages of a kind of record. */
function createPages(kind: DeclaredKind): PageRecord[] {
  const title = resourceWord(kind.resourceType)
  const { permissions } = kind
  const needTo = (action: 'ADD' | 'EDIT'): PageNeed =>
    permissions === undefined
      ? needOwner(`change ${kind.label.toLowerCase()}`)
      : needOnItsTeam(`${permissions}_${action}`)
  const seenBy = 'everyone'
  return [
    {
      path: `/${kind.pages}`,
      title: kind.label,
      redirect: getRecordPaths(kind).list,
      icon: RECORD_ICONS[kind.icon],
      group: kind.group,
      seenBy,
    },
    {
      path: `/${kind.pages}/new`,
      title: `${title} new`,
      load: async () => (await import('./edit-page.tsx')).createEditPage(kind),
      seenBy,
      needs: needTo('ADD'),
    },
    {
      path: `/${kind.pages}/$id`,
      title,
      load: async () => (await import('./page.tsx')).createRecordPage(kind),
      seenBy,
      needs: atButton(needTo('EDIT')),
    },
    {
      path: `/${kind.pages}/$id/edit`,
      title: `${title} edit`,
      load: async () => (await import('./edit-page.tsx')).createEditPage(kind),
      seenBy,
      needs: needTo('EDIT'),
    },
    {
      path: `/${kind.pages}/$id/versions`,
      title: `${title} versions`,
      load: async () => (await import('./versions-page.tsx')).createVersionsPage(kind),
      seenBy,
    },
  ]
}
