// Walks through two documents side by side: matches members of lists, compares values, and reports changes.

import { canonicalText } from '../shape/canonical.ts'
import { any, resolveShape, fieldShape, map } from '../shape/shape.ts'
import type { MapShape, ObjectShape, Shape } from '../shape/shape.ts'
import { clip, getField, isObject, type Path, pointer, asText, type Value } from '../text/value.ts'
import { getLevel, ruleFor } from './level.ts'
import type { Change, ChangeKind, LevelRule } from './level.ts'
import { isSame } from './same.ts'
import { type Pair, pairMembers, type Recognition } from './pair.ts'
import { changeSentence, describeRemoval, sentence } from './sentence.ts'

/** The comparison rules that are specific to the documents of a format. */
export interface ComparisonRules {
  rules: readonly LevelRule[]
  /** Returns a noun for a member of a list; undefined for lists whose members have no names. */
  nounFor: (list: string, item: Value) => string | undefined
  /** Returns the ways to match the members of a list, in order of preference. */
  waysFor: (list: string, shape: Shape) => Recognition[]
  /** The fields in which a renamed member differs. */
  nameFields: readonly string[]
  /** Top-level fields that `compareSpecially` compares even if they do not differ. */
  specialPlaces?: ReadonlySet<string>
  /** Returns whether the end of a member of a list was announced, apart from its flag `deprecated`. */
  isDeprecated?: (item: Value) => boolean
  /** Compares a pair of values in a special way; returns whether it did. */
  compareSpecially?: (step: Step, walk: Walk) => boolean
}

/**
 * A pair of values in both documents. `place` is the position in the tables of rules, where members of lists are `*`.
 */
export interface Step {
  before: Value | undefined
  after: Value | undefined
  shape: Shape
  beforePath: Path
  afterPath: Path
  place: readonly string[]
  /** The subject in messages: the owner of the value, and the field in it. */
  owner: string
  field: string
}

/** Walks through two values side by side and collects the changes. */
export class Walk {
  readonly changes: Change[] = []
  readonly #dialect: ComparisonRules
  // The number of pairs that were compared in a special way; these are reported even if no change was added.
  #specialCount = 0

  constructor(dialect: ComparisonRules) {
    this.#dialect = dialect
  }

  /** Compares two whole documents. */
  documents(before: Value, after: Value, shape: Shape): Change[] {
    const top = { beforePath: [], afterPath: [], place: [], owner: '', field: '' }
    const step = { before, after, shape, ...top }
    if (isSame(before, after, shape)) return this.changes
    if (shape.kind === 'object' && isObject(before) && isObject(after)) this.fields(step, shape, [])
    if (this.changes.length + this.#specialCount === 0) this.add(step)
    return this.changes
  }

  /** Compares two values; reports no change if and only if they mean the same. */
  values(step: Step): void {
    const { before, after, shape } = step
    const isWhole = step.place.length === 1 && this.#dialect.specialPlaces?.has(step.place[0] ?? '')
    const isPair = before !== undefined && after !== undefined
    if (isWhole !== true && isPair && isSame(before, after, shape)) return
    if (this.#dialect.compareSpecially?.(step, this) === true) {
      this.#specialCount += 1
      return
    }
    if (this.#isStatedDefault(step)) return
    const changeCount = this.changes.length
    const specialCount = this.#specialCount
    const rule = resolveShape(shape, after ?? before ?? null)
    if (rule.kind === 'list' && rule.set) this.#set(step, rule.items)
    else if (rule.kind === 'object' || rule.kind === 'map') this.fields(step, rule, [])
    // A value without parts, or whose parts did not change (for example an empty list that was absent before).
    if (this.changes.length === changeCount && this.#specialCount === specialCount) this.add(step)
  }

  // Reports that a default is stated, or no longer.
  #isStatedDefault(step: Step): boolean {
    const [before, after] = this.#withoutDefault(step)
    if (before !== undefined || after !== undefined) return false
    const subject = [step.owner, step.field].filter(Boolean).join(': ')
    const message = changeSentence(subject, step.before, step.after, 'it is the default')
    const [one, other] = [step.before ?? null, step.after ?? null]
    const kind = getChangeKind(one, other)
    this.report(step, { kind, level: 'wording', before: one, after: other, message })
    return true
  }

  // An absent field has the default of its rule.
  #withoutDefault({ before, after, place }: Step): (Value | undefined)[] {
    const standard = ruleFor(this.#dialect.rules, place).default ?? null
    return [before, after].map((value) => {
      return standard !== null && value === standard ? undefined : value
    })
  }

  /** Compares the fields of two objects, except some. */
  fields(step: Step, shape: ObjectShape | MapShape, except: readonly string[]): void {
    const before = step.before ?? {}
    const after = step.after ?? {}
    if (!isObject(before) || !isObject(after)) return
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (except.includes(name)) continue
      const inside = this.inside(step, name, shape)
      if (inside.before !== undefined || inside.after !== undefined) this.values(inside)
    }
  }

  /** Returns the pair of values of a field of two objects. */
  inside(step: Step, name: string, shape: ObjectShape | MapShape): Step {
    return toField(step, name, {
      shape: fieldShape(shape, name) ?? any,
      place: [...step.place, name],
    })
  }

  #field(step: Step, name: string, inside: { shape: Shape; place: readonly string[] }): void {
    const field = toField(step, name, inside)
    if (field.before !== undefined || field.after !== undefined) this.values(field)
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
    const property = asText(getField(after?.item ?? before?.item, 'property'))
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
    this.#push(member, 'renamed', this.#addDeprecation(member, message))
    const shape = resolveShape(member.shape, member.after ?? null)
    if (shape.kind === 'object') this.fields(member, shape, this.#dialect.nameFields)
  }

  // The value of a custom property takes the place of the property in the rules.
  #property(step: Step, property: string): void {
    const changeCount = this.changes.length
    const shape = property === 'server' ? map(any) : any
    this.#field(step, 'value', { shape, place: step.place })
    if (step.shape.kind === 'object') {
      const others = { ...step, place: [...step.place, '', ''] }
      this.fields(others, step.shape, ['property', 'value'])
    }
    if (this.changes.length === changeCount) this.add(step)
  }

  /** Adds a change of a value as a whole. */
  add(step: Step): void {
    const { before = null, after = null } = step
    const kind = getChangeKind(before, after)
    const subject = [step.owner, step.field].filter(Boolean).join(': ') || 'The document'
    const shown = (value: Value) => (step.field === '' ? toDisplayValue(value) : value)
    const message = sentence(subject, kind, shown(before), shown(after))
    this.#push(step, kind, after === null ? this.#addDeprecation(step, message) : message)
  }

  // The removal of a part whose end was announced is no surprise, but breaks those who still use it.
  #addDeprecation({ before }: Step, message: string): string {
    const isFlagged = getField(before, 'deprecated') === true
    const deprecated = isFlagged || this.#dialect.isDeprecated?.(before ?? null) === true
    return describeRemoval(message, { deprecated })
  }

  /** Adds a change whose level the caller has determined. */
  report(step: Step, change: Omit<Change, 'path'>): void {
    this.changes.push({
      path: pointer(step.after === undefined ? step.beforePath : step.afterPath),
      ...change,
    })
  }

  #getLevel(step: Step, kind: ChangeKind): Change['level'] {
    const { before = null, after = null, place } = step
    const values = { before: toWord(before), after: toWord(after) }
    const rule = ruleFor(this.#dialect.rules, place, values)
    const [one = null, other = null] = this.#withoutDefault(step)
    return getLevel(rule, rule.default === undefined ? kind : getChangeKind(one, other))
  }

  #push(step: Step, kind: ChangeKind, message: string): void {
    const { before = null, after = null, afterPath, beforePath } = step
    const path = pointer(step.after === undefined ? beforePath : afterPath)
    const isNothing = hasContent(before) === hasContent(after) && !hasContent(after)
    const level = isNothing ? 'wording' : this.#getLevel(step, kind)
    this.changes.push({ path, kind, level, before, after, message })
  }
}

function toField(
  step: Step,
  name: string,
  inside: { shape: Shape; place: readonly string[] },
): Step {
  return {
    ...inside,
    before: getField(step.before, name),
    after: getField(step.after, name),
    beforePath: [...step.beforePath, name],
    afterPath: [...step.afterPath, name],
    owner: step.owner,
    field: step.field === '' ? clip(name) : `${step.field}.${clip(name)}`,
  }
}

// The value of a custom property decides its level.
function toWord(value: Value): Value {
  const isProperty = getField(value, 'property') !== undefined
  return isProperty ? (getField(value, 'value') ?? null) : value
}

// The name of a member of a list identifies it; a custom property needs its value too.
function toDisplayValue(item: Value): Value | undefined {
  return getField(item, 'property') === undefined ? undefined : getField(item, 'value')
}

// Null and blank text have no content, like an absent field.
function hasContent(value: Value): boolean {
  return value !== null && value !== ''
}

function getChangeKind(before: Value, after: Value): ChangeKind {
  if (hasContent(before) === hasContent(after)) return 'changed'
  return hasContent(after) ? 'added' : 'removed'
}
