// Results of comparing models: the changes, and which parts of the documents they explain.

import type { Value } from '../text/value.ts'
import { type Effort, EFFORT_STEPS } from './effort.ts'
import { type Change, type ChangeKind, type Level, highestLevel } from './level.ts'

/**
 * A property of a model or field that may change. A change of an aspect explains the parts of the document that
 * contain it.
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
  | 'deprecated'
  | 'vector'
  | 'semanticType'
  | 'traits'

/** The relation of a new promise to the old one: `wider` allows data that the old promise did not allow. */
export type Verdict = 'same' | 'narrower' | 'wider' | 'different'

/** Returns the level of a verdict: a promise that allows more than before may break consumers. */
export function toLevel(verdict: Verdict): Exclude<Level, 'none'> {
  if (verdict === 'same') return 'wording'
  return verdict === 'narrower' ? 'additive' : 'breaking'
}

/** Collects the changes of models and fields in the order in which they are found. */
export class ModelChanges {
  readonly list: Change[] = []
  /** The property that each change of a model or field is about. */
  readonly aspects = new Map<Change, Aspect>()
  /** The aspects that changed, by the pointer of the newer model or field. */
  readonly reportedAspects = new Map<string, Set<Aspect>>()
  /** The pointers of renamed models and fields: the older pointer by the newer one. */
  readonly renamed = new Map<string, string>()
  /** Pointers of removed members (into the older document) and added ones (into the newer document). */
  readonly removed = new Set<string>()
  readonly added = new Set<string>()
  /** The remaining effort for proofs about schemas. */
  readonly effort: Effort = { stepsLeft: EFFORT_STEPS }
  /** Whether there were no models to compare. */
  isUnread = false
  /** Whether only the newer version has models. */
  hasFirstModels = false

  /** Adds a change of a model or field; `origin` is its pointer in the newer document. */
  report(
    origin: string,
    aspect: Aspect,
    change: {
      level: Change['level']
      before: Value | undefined
      after: Value | undefined
      message: string
      kind?: ChangeKind
      /** The path of the change, if it differs from `origin`. */
      path?: string
    },
  ): void {
    const { level, before = null, after = null, message, path = origin } = change
    const kind = change.kind ?? getChangeKind(before, after)
    const entry: Change = { path, kind, level, before, after, message }
    this.list.push(entry)
    this.aspects.set(entry, aspect)
    const aspects = this.reportedAspects.get(origin)
    if (aspects === undefined) this.reportedAspects.set(origin, new Set([aspect]))
    else aspects.add(aspect)
  }

  reportRemoved(origin: string, before: Value, message: string): void {
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

  reportAdded(origin: string, after: Value, message: string): void {
    this.list.push({ path: origin, kind: 'added', level: 'additive', before: null, after, message })
    this.added.add(origin)
  }

  /** Returns the highest level of the changes from a position of the list on. */
  highestSince(at: number): Level {
    return highestLevel(this.list.slice(at))
  }
}

function getChangeKind(before: Value, after: Value): ChangeKind {
  if (before === null && after !== null) return 'added'
  return after === null && before !== null ? 'removed' : 'changed'
}
