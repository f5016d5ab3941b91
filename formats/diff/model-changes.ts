// What was found out about models: the changes themselves, and which parts of the document they explain.

import type { Value } from '../text/value.ts'
import { type Effort, EFFORT_STEPS } from './effort.ts'
import { type Change, type ChangeKind, type Level, highestLevel } from './level.ts'

/**
 * The aspects of a model or field; a change of one explains the differences of the document that represent
 * it.
 */
export type Aspect =
  | 'name'
  | 'physicalName'
  | 'kind'
  | 'namespace'
  | 'description'
  | 'tags'
  | 'order'
  | 'primaryKey'
  | 'quality'
  | 'type'
  | 'required'
  | 'unique'
  | 'enum'
  | 'pattern'
  | 'format'
  | 'length'
  | 'items'
  | 'range'
  | 'classification'
  | 'references'
  | 'nested'
  | 'traits'

/** The relation of the new promise to the old one: `wider` allows more. */
export type Verdict = 'same' | 'narrower' | 'wider' | 'different'

/** Gives the level of a verdict: what allows more than before may break who relied on it. */
export function levelOfVerdict(verdict: Verdict): Exclude<Level, 'none'> {
  if (verdict === 'same') return 'wording'
  return verdict === 'narrower' ? 'additive' : 'breaking'
}

/** Collects the changes of models and fields, in the order in which they are found. */
export class ModelChanges {
  readonly list: Change[] = []
  /** Aspects that changed, by the pointer of the newer model or field. */
  readonly told = new Map<string, Set<Aspect>>()
  /** The pointers of renamed models and fields, the older by the newer. */
  readonly renamed = new Map<string, string>()
  /** Pointers of what was removed (in the older document) and added (in the newer one). */
  readonly removed = new Set<string>()
  readonly added = new Set<string>()
  /** The remaining effort for proofs about schemas. */
  readonly effort: Effort = { stepsLeft: EFFORT_STEPS }
  /** There were no models to compare. */
  isUnread = false

  /** Adds a change of a model or field; `origin` is its pointer in the newer document. */
  tell(
    origin: string,
    aspect: Aspect,
    change: {
      level: Change['level']
      before: Value | undefined
      after: Value | undefined
      message: string
      kind?: ChangeKind
      /** The location of the change, if it differs. */
      path?: string
    },
  ): void {
    const { level, before = null, after = null, message, path = origin } = change
    const kind = change.kind ?? kindOf(before, after)
    this.list.push({ path, kind, level, before, after, message })
    const aspects = this.told.get(origin)
    if (aspects === undefined) this.told.set(origin, new Set([aspect]))
    else aspects.add(aspect)
  }

  tellRemoved(origin: string, before: Value, message: string): void {
    this.list.push({
      path: origin,
      kind: 'removed',
      level: 'breaking',
      before,
      after: null,
      message,
    })
    this.removed.add(origin)
  }

  tellAdded(origin: string, after: Value, message: string): void {
    this.list.push({ path: origin, kind: 'added', level: 'additive', before: null, after, message })
    this.added.add(origin)
  }

  /** Gives the highest level of the changes from a position of the list on. */
  highestSince(at: number): Level {
    return highestLevel(this.list.slice(at))
  }
}

function kindOf(before: Value, after: Value): ChangeKind {
  if (before === null && after !== null) return 'added'
  return after === null && before !== null ? 'removed' : 'changed'
}
