import type { DeletionEffectProps } from '../../documents/document-kind.ts'
import { UsedByList } from '../../documents/used-by-list.tsx'
import { api } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'
import { newTable } from '../../../formats/name/table.ts'

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

/** The words for the documents that use a kind of record, and for what its deletion does to them. */
interface Use {
  /** The noun of the documents. */
  noun: string
  /** After one document, and after several. */
  verbs: readonly [string, string]
  effect: string
  /** The sentence without any use. */
  none: string
}

const USES = newTable<Use>({
  definition: {
    noun: 'data contract',
    verbs: ['names it', 'name it'],
    effect: 'Their links to it will break.',
    none: 'No data contract names this definition.',
  },
  'source-system': {
    noun: 'data product',
    verbs: ['reads from it', 'read from it'],
    effect: 'Their input ports keep its id, and lineage shows it without a name.',
    none: 'No data product reads from this source system.',
  },
  certification: {
    noun: 'data product',
    verbs: ['has it', 'have it'],
    effect: 'They keep its tag, but are no longer shown as certified.',
    none: 'No data product has this certification.',
  },
  'classification-scheme': {
    noun: 'document',
    verbs: ['has fields of its classifications', 'have fields of its classifications'],
    effect: 'The fields keep their classifications, without the colours and levels of the scheme.',
    none: 'No field has a classification of this scheme.',
  },
})

const NOT_NAMED = 'Documents do not name policies, so no document changes.'

/** Creates the effect of deleting a kind of record on the documents that use it. */
export function createDeletionEffect(kind: string) {
  const use = USES[kind]
  return function DeletionEffect({ usedBy }: DeletionEffectProps) {
    if (use === undefined || usedBy === undefined) return <p>{NOT_NAMED}</p>
    if (usedBy.total === 0) return <p>{use.none}</p>
    return (
      <div className="grid gap-2">
        <p>
          {countText(usedBy.total, use.noun)} {use.verbs[usedBy.total === 1 ? 0 : 1]}. {use.effect}
        </p>
        <UsedByList usedBy={usedBy} />
      </div>
    )
  }
}
