import { useQuery } from '@tanstack/react-query'
import { checkBeside } from '../../documents/document-thread.ts'
import type { StoredText } from '../../documents/stored-document.ts'
import { Link } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'

const SHOWN_MAX = 8

/** The warnings of a document with their lines; nothing without warnings. */
export function Warnings({ id, stored }: { id: string; stored: StoredText }) {
  const { text, mediaType, etag, owner } = stored
  const { data } = useQuery({
    queryKey: ['warnings', id, etag, mediaType, owner],
    queryFn: async () => await checkBeside({ reader: 'data-product', text, mediaType, id, owner }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const problems = data?.problems ?? []
  if (problems.length === 0) return null
  const rest = problems.length - SHOWN_MAX
  return (
    <Panel title="Warnings" marks={problems.length}>
      <ul className="grid gap-2.5">
        {problems.slice(0, SHOWN_MAX).map(({ field, message, line }, at) => (
          <li key={`${field} ${at}`} className="flex gap-2">
            <span className="mt-1">
              <ToneIcon tone="caution" />
            </span>
            <span className="user-text min-w-0">
              {field !== '' && <code className="mr-1">{field}</code>}
              {message} <span className="text-muted">Line {line}.</span>
            </span>
          </li>
        ))}
        {rest > 0 && (
          <li>
            <Link href={paths.editDataProduct(id)}>And {rest} more in the editor</Link>
          </li>
        )}
      </ul>
    </Panel>
  )
}
