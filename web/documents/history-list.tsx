import { api } from '../api/client.ts'
import { usePrincipalNames } from '../api/session.ts'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Empty } from '../parts/notice.tsx'
import { numberText } from '../parts/number-text.ts'
import { ChangeLevel } from '../parts/status.tsx'
import { Time } from '../parts/time.tsx'
import type { DocumentKind } from './document-kind.ts'

/** The versions of a document, newest first: `useVersions(kind, id)`. */
export function useVersions(kind: Pick<DocumentKind, 'api'>, id: string) {
  return api.useQuery('get', `${kind.api}/{id}/versions`, { params: { path: { id } } })
}

interface HistoryListProps {
  kind: DocumentKind
  id: string
  /** The maximum number of entries; the page of versions lists all. */
  max?: number
}

/** The authors and times of changes, each with a link to its version. */
export function HistoryList({ kind, id, max = 20 }: HistoryListProps) {
  const versions = useVersions(kind, id)
  const shown = versions.data?.slice(0, max) ?? []
  const getName = usePrincipalNames(shown.map(({ principal }) => principal))
  return (
    <Loaded
      query={versions}
      empty={<Empty title="No versions">Each saved change appears here as a version.</Empty>}
    >
      {(all) => (
        <>
          <ol className="grid gap-3">
            {shown.map(({ version, validFrom, principal, level }) => (
              <li key={version} className="grid grid-cols-[5.5rem_1fr] gap-x-3">
                <Link href={getHref(kind, id, version)}>Version {version}</Link>
                <div className="min-w-0">
                  <span className="flex flex-wrap items-center gap-x-2">
                    <Time at={validFrom} />
                    {version > 1 && <ChangeLevel level={level} />}
                  </span>
                  <span className="user-text block text-sm text-muted">
                    by {getName(principal)}
                  </span>
                </div>
              </li>
            ))}
          </ol>
          {all.length > shown.length && (
            <p className="mt-3">
              <Link href={kind.versionsPage(id)}>All {numberText(all.length)} versions</Link>
            </p>
          )}
        </>
      )}
    </Loaded>
  )
}

function getHref(kind: DocumentKind, id: string, version: number): string {
  if (version === 1) return kind.versionsPage(id, { to: '1' })
  return kind.versionsPage(id, { from: String(version - 1), to: String(version) })
}
