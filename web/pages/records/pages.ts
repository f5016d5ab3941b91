import { RECORDS, type DeclaredKind } from '../../../formats/record/kinds.ts'
import { RECORD_ICONS, resourceWord } from '../../parts/resource-types.ts'
import { getRecordPaths } from '../../paths.ts'
import type { PageRecord } from '../../shell/page-record.ts'

/** The pages of all kinds of records. */
export const pages: readonly PageRecord[] = RECORDS.flatMap(createPages)

/** Creates the pages of a kind of record. */
function createPages(kind: DeclaredKind): PageRecord[] {
  const title = resourceWord(kind.resourceType)
  return [
    {
      path: `/${kind.pages}`,
      title: kind.label,
      redirect: getRecordPaths(kind).list,
      icon: RECORD_ICONS[kind.icon],
      group: kind.group,
    },
    {
      path: `/${kind.pages}/new`,
      title: `${title} new`,
      load: async () => (await import('./edit-page.tsx')).createEditPage(kind),
    },
    {
      path: `/${kind.pages}/$id`,
      title,
      load: async () => (await import('./page.tsx')).createRecordPage(kind),
    },
    {
      path: `/${kind.pages}/$id/edit`,
      title: `${title} edit`,
      load: async () => (await import('./edit-page.tsx')).createEditPage(kind),
    },
    {
      path: `/${kind.pages}/$id/versions`,
      title: `${title} versions`,
      load: async () => (await import('./versions-page.tsx')).createVersionsPage(kind),
    },
  ]
}
