import type { Schemas } from '../api/client.ts'
import { Link } from '../parts/link.tsx'
import { numberText } from '../parts/number-text.ts'
import { resourceWord } from '../parts/resource-types.ts'
import { pathOfResource } from '../paths.ts'

/** The documents that use a record, as plans list them. */
export type RecordUses = NonNullable<Schemas['Plan']['usedBy']>

const SHOWN_MAX = 10

/** Lists the first documents that use a record. */
export function UsedByList({ usedBy: { total, documents } }: { usedBy: RecordUses }) {
  const shown = documents.slice(0, SHOWN_MAX)
  return (
    <ul className="grid gap-1">
      {shown.map(({ resourceType, id, name }) => (
        <li key={`${resourceType} ${id}`} className="user-text">
          <Link href={pathOfResource(resourceType, id)}>{name}</Link>{' '}
          <span className="text-muted">{resourceWord(resourceType)}</span>
        </li>
      ))}
      {total > shown.length && (
        <li className="text-muted">and {numberText(total - shown.length)} more</li>
      )}
    </ul>
  )
}
