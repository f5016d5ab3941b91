import { classNames } from '../../parts/class-names.ts'
import { newTable } from '../../../formats/name/table.ts'

const COLOURS = newTable<string>({
  GET: 'text-muted',
  PUT: 'text-accent',
  POST: 'text-accent',
  DELETE: 'text-critical',
})

/** The method of an operation, as wide as any other. */
export function Method({ method }: { method: string }) {
  return (
    <span
      className={classNames(
        'inline-block w-13 shrink-0 font-mono text-xs font-semibold',
        COLOURS[method] ?? 'text-muted',
      )}
    >
      {method}
    </span>
  )
}
