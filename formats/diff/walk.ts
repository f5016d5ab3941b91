// Walks through two documents side by side: pairs their parts, compares them, and reports changes.

import { canonicalText } from '../shape/canonical.ts'
import { any, chosen, fieldShape, map } from '../shape/shape.ts'
import type { MapShape, ObjectShape, Shape } from '../shape/shape.ts'
import { clip, fieldOf, isObject, type Path, pointer, textOf, type Value } from '../text/value.ts'
import { levelOf, ruleFor } from './level.ts'
import type { Change, ChangeKind, Rule } from './level.ts'
import { isSame } from './same.ts'
import { joined, type KeyOf, type Pair, pairMembers, type Recognition } from './pair.ts'
import { sentence } from './sentence.ts'

/** The format-specific parts of a comparison. */
export interface Dialect {
  rules: readonly Rule[]
  /** Names a member of a list; undefined for lists with unnamed members. */
  nounFor: (list: string, item: Value) => string | undefined
  /** The ways in which the members of a list are recognized, one after the other. */
  waysFor: (list: string, shape: Shape) => Recognition[]
  /** The fields by which a renamed member differs. */
  nameFields: readonly string[]
  /** Top fields that `aside` compares whether they differ or not. */
  ownPlaces?: ReadonlySet<string>
  /** Compares a pair of values in another way, and returns whether it did. */
  aside?: (step: Step, walk: Walk) => boolean
}

/** The identifiers of list members in all formats. */
export const SHARED_KEYS: ReadonlyMap<string, KeyOf> = new Map([
  ['authoritativeDefinitions', (item: Value) => joined(item, ['type', 'url'])],
  ['customProperties', (item: Value) => joined(item, ['property'])],
])

// Two values, the way to each, and the place in the tables of decisions, where members of lists are `*`.
/** A pair of values on the way through both documents. */
export interface Step {
  before: Value | undefined
  after: Value | undefined
  shape: Shape
  beforePath: Path
  afterPath: Path
  place: readonly string[]
  /** The owner and the field in sentences. */
  owner: string
  field: string
}

/** Walks through two values, side by side, and collects what changed. */
export class Walk {
  readonly changes: Change[] = []
  readonly #dialect: Dialect
  // The number of pairs that were compared in another way, which are reported even without additions.
  #asides = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Compares two whole documents. */
  documents(before: Value, after: Value, shape: Shape): Change[] {
    const top = { beforePath: [], afterPath: [], place: [], owner: '', field: '' }
    const step = { before, after, shape, ...top }
    if (isSame(before, after, shape)) return this.changes
    if (shape.kind === 'object' && isObject(before) && isObject(after)) this.fields(step, shape, [])
    if (this.changes.length + this.#asides === 0) this.add(step)
    return this.changes
  }

  /** Compares two values; nothing is found exactly when they mean the same. */
  values(step: Step): void {
    const { before, after, shape } = step
    const isWhole = step.place.length === 1 && this.#dialect.ownPlaces?.has(step.place[0] ?? '')
    const isPair = before !== undefined && after !== undefined
    if (isWhole !== true && isPair && isSame(before, after, shape)) return
    if (this.#dialect.aside?.(step, this) === true) {
      this.#asides += 1
      return
    }
    const found = this.changes.length
    const asides = this.#asides
    const rule = chosen(shape, after ?? before ?? null)
    if (rule.kind === 'list' && rule.set) this.#set(step, rule.items)
    else if (rule.kind === 'object' || rule.kind === 'map') this.fields(step, rule, [])
    // A value without parts, or without changed parts (for example an empty list that was absent).
    if (this.changes.length === found && this.#asides === asides) this.add(step)
  }

  /** Compares the fields of two objects, except some. */
  fields(step: Step, shape: ObjectShape | MapShape, except: readonly string[]): void {
    const before = step.before ?? {}
    const after = step.after ?? {}
    if (!isObject(before) || !isObject(after)) return
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (except.includes(name)) continue
      const known =
        shape.kind === 'map' ? (shape.known?.get(name) ?? shape.values) : fieldShape(shape, name)
      const place = [...step.place, name]
      this.#field(step, name, { shape: known ?? any, place })
    }
  }

  #field(step: Step, name: string, inside: { shape: Shape; place: readonly string[] }): void {
    const before = fieldOf(step.before, name)
    const after = fieldOf(step.after, name)
    if (before === undefined && after === undefined) return
    this.values({
      ...inside,
      before,
      after,
      beforePath: [...step.beforePath, name],
      afterPath: [...step.afterPath, name],
      owner: step.owner,
      field: step.field === '' ? clip(name) : `${step.field}.${clip(name)}`,
    })
  }

  #set(step: Step, shape: Shape): void {
    const before = step.before ?? []
    const after = step.after ?? []
    if (!Array.isArray(before) || !Array.isArray(after)) return
    const list = step.place.at(-1) ?? ''
    const textOfItem = (item: Value) => canonicalText(item, shape)
    const ways = this.#dialect.waysFor(list, shape)
    for (const pair of pairMembers(before, after, textOfItem, ways)) {
      this.#member(step, list, pair, shape)
    }
  }

  #member(step: Step, list: string, { before, after, renamed }: Pair, shape: Shape): void {
    const noun = this.#dialect.nounFor(list, after?.item ?? before?.item ?? null)
    const property = textOf(fieldOf(after?.item ?? before?.item, 'property'))
    const isProperty = list === 'customProperties' && property !== undefined
    const member: Step = {
      before: before?.item,
      after: after?.item,
      shape,
      beforePath: [...step.beforePath, before?.at ?? 0],
      afterPath: [...step.afterPath, after?.at ?? 0],
      place: [...step.place, isProperty ? property : '*'],
      owner: [step.owner, noun ?? ''].filter(Boolean).join(': '),
      field: noun === undefined ? step.field : '',
    }
    if (before === undefined || after === undefined) this.add(member)
    else if (renamed) this.#renamed(member, list)
    else if (isProperty) this.#property(member, property)
    else this.values(member)
  }

  #renamed(member: Step, list: string): void {
    const before = this.#dialect.nounFor(list, member.before ?? null) ?? ''
    const message = `${before} was renamed; it is now ${member.owner.replace(/^\S+(?: [a-z]+)* /, '')}.`
    this.#push(member, 'renamed', message)
    const shape = chosen(member.shape, member.after ?? null)
    if (shape.kind === 'object') this.fields(member, shape, this.#dialect.nameFields)
  }

  // Decisions refer to a custom property by its value.
  #property(step: Step, property: string): void {
    const found = this.changes.length
    const shape = property === 'server' ? map(any) : any
    this.#field(step, 'value', { shape, place: step.place })
    if (step.shape.kind === 'object') {
      const others = { ...step, place: [...step.place, '', ''] }
      this.fields(others, step.shape, ['property', 'value'])
    }
    if (this.changes.length === found) this.add(step)
  }

  /** Adds a change of a value as a whole. */
  add(step: Step): void {
    const { before = null, after = null } = step
    const kind = kindOfChange(before, after)
    const subject = [step.owner, step.field].filter(Boolean).join(': ') || 'The document'
    const shown = (value: Value) => (step.field === '' ? shownOf(value) : value)
    this.#push(step, kind, sentence(subject, kind, shown(before), shown(after)))
  }

  /** Adds a change whose level is decided elsewhere. */
  tell(step: Step, change: Omit<Change, 'path'>): void {
    this.changes.push({
      path: pointer(step.after === undefined ? step.beforePath : step.afterPath),
      ...change,
    })
  }

  #push(step: Step, kind: ChangeKind, message: string): void {
    const { before = null, after = null, afterPath, beforePath } = step
    const path = pointer(step.after === undefined ? beforePath : afterPath)
    const isNothing = says(before) === says(after) && !says(after)
    const level = isNothing ? 'wording' : levelOf(ruleFor(this.#dialect.rules, step.place), kind)
    this.changes.push({ path, kind, level, before, after, message })
  }
}

// The name suffices for a member of a list; a custom property also shows its value.
function shownOf(item: Value): Value | undefined {
  return fieldOf(item, 'property') === undefined ? undefined : fieldOf(item, 'value')
}

// Null and blank texts count as absent.
function says(value: Value): boolean {
  return value !== null && value !== ''
}

function kindOfChange(before: Value, after: Value): ChangeKind {
  if (says(before) === says(after)) return 'changed'
  return says(after) ? 'added' : 'removed'
}
