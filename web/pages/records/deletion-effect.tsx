import type { DeletionEffectProps } from '../../documents/document-kind.ts'
import { UsedByList } from '../../documents/plan-view.tsx'
import { api } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'
import type { RecordKind } from '../../../formats/record/record-kind.ts'

/** The effect of deleting a tag on the assets to which it is assigned. */
export function TagDeletionEffect({ id }: DeletionEffectProps) {
  const params = { query: { tag: id } }
  const { data } = api.useQuery('get', '/ui/tagged-assets', { params })
  if (data === undefined) return null
  if (data.total === 0) return <p>This tag is not assigned to any asset.</p>
  return (
    <p>
      It will be removed from {countText(data.total, 'asset')}. Restoring the tag does not assign it
      again.
    </p>
  )
}

/** Creates the effect of deleting a kind of record on the documents that use it. */
export function createDeletionEffect({ uses, label }: RecordKind) {
  return function DeletionEffect({ usedBy }: DeletionEffectProps) {
    if (uses === undefined || usedBy === undefined) {
      return <p>Documents do not name {label.toLowerCase()}, so no document changes.</p>
    }
    if (usedBy.total === 0) return <p>{uses.none}</p>
    return (
      <div className="grid gap-2">
        <p>
          {countText(usedBy.total, uses.noun)} {uses.verbs[usedBy.total === 1 ? 0 : 1]}.{' '}
          {uses.effect}
        </p>
        <UsedByList usedBy={usedBy} />
      </div>
    )
  }
}
