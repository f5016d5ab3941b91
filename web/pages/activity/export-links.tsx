import { currentOrganization } from '../../api/organization.ts'
import type { ActivityQuery } from '../../documents/activity-group.tsx'
import { DownloadLink } from '../../parts/button.tsx'
import { withQuery } from '../../paths.ts'

/** Links that download all entries that match the filters of the page. The browser writes them to disk as they arrive. */
export function ExportLinks({ query }: { query: ActivityQuery }) {
  const organization = currentOrganization()
  const href = (format: 'csv' | 'jsonl'): string =>
    withQuery('/ui/activity/export', { ...query, format, organization })
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadLink href={href('csv')}>Export CSV</DownloadLink>
      <DownloadLink href={href('jsonl')}>Export JSON lines</DownloadLink>
    </div>
  )
}
