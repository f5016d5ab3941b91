import { asText, valueAt } from '../../formats/text/value.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { nextMajorVersion } from './next-version.ts'
import type { Plan } from './plan-view.tsx'
import type { Editing } from './use-editing.ts'

/** Offers the next major version while a breaking change keeps the version as it is. */
export function RaiseVersion({ editing, plan }: { editing: Editing; plan: Plan }) {
  const { kind, checked, onEdit } = editing
  const value = checked.result?.value
  if (value === undefined || kind.getPaths === undefined || plan.outcome !== 'updated') return null
  const path = kind.getPaths(value).version
  const version = asText(valueAt(value, path))
  const next = version === undefined ? undefined : nextMajorVersion(version)
  const isRaised = plan.changes.some((change) => change.path === `/${path.join('/')}`)
  if (next === undefined || isRaised) return null
  return (
    <Notice
      tone="caution"
      title={`The version is still ${version}`}
      actions={
        <Button onClick={() => void onEdit({ kind: 'set', path, value: next })}>
          Change it to {next}
        </Button>
      }
    >
      Consumers expect a new major version when a change is breaking.
    </Notice>
  )
}
