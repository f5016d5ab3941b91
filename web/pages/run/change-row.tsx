import { Minus, PenLine, Plus, RotateCcw } from 'lucide-react'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import { getPath, type RunChange } from './change-order.ts'

const LOOKS = {
  created: { icon: Plus, title: 'Created', wish: 'Create', colour: 'text-positive' },
  updated: { icon: PenLine, title: 'Updated', wish: 'Update', colour: 'text-accent' },
  deleted: { icon: Minus, title: 'Deleted', wish: 'Delete', colour: 'text-critical' },
  revived: { icon: RotateCcw, title: 'Restored', wish: 'Restore', colour: 'text-positive' },
} as const

const HELD = {
  brake: 'Held: too many deletes',
  filter: 'Held: excluded by the settings',
  unproven: 'Held: may only be hidden',
} as const

/** A change of one asset, with its versions. */
export function ChangeRow({ change, isPreview }: { change: RunChange; isPreview: boolean }) {
  const { assetId, action, heldBecause, pathBefore, pathAfter, versionBefore, versionAfter } =
    change
  const { icon: Icon, title, wish, colour } = LOOKS[action]
  const isDone = !isPreview && heldBecause === null
  const path = getPath(change)
  const before = pathBefore?.join('.')
  const isRenamed = before !== undefined && pathAfter !== null && before !== path
  // A preview creates nothing.
  const exists = !(isPreview && action === 'created')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2">
      <span className={classNames('flex w-24 shrink-0 items-center gap-1.5 text-sm', colour)}>
        <Icon size={14} aria-hidden />
        {isDone ? title : wish}
      </span>
      <span className="user-text min-w-0 max-sm:order-last max-sm:basis-full sm:flex-1">
        {exists ? <Link href={paths.asset(assetId)}>{path}</Link> : path}
        {isRenamed && <span className="block text-sm text-muted">was {before}</span>}
      </span>
      {heldBecause !== null && <Status tone="caution">{HELD[heldBecause]}</Status>}
      <span
        className={classNames(
          'figures text-sm text-muted max-sm:ml-auto',
          // A held delete changes no version, and narrow screens only have space for one of them.
          heldBecause !== null && 'max-sm:hidden',
        )}
      >
        {versionWords(versionBefore, versionAfter)}
      </span>
    </div>
  )
}

function versionWords(before: number | null, after: number | null): string {
  if (before === null) return after === null ? '' : `version ${after}`
  return after === null ? `version ${before}` : `version ${before} → ${after}`
}
