// What changed between two versions of a data product, by meaning: ports are recognized by what they are called, tags
// and links wherever they stand, and an order that means nothing is no change.

import { canonicalText } from '../canonical.ts'
import { odpsFromDps } from '../data-product/convert.ts'
import type { DataProduct, Format } from '../data-product/data-product.ts'
import { DPS } from '../data-product/dps-shape.ts'
import { ODPS_NEWEST } from '../data-product/odps-shape.ts'
import { any, chosen, fieldShape, map } from '../shape.ts'
import type { MapShape, ObjectShape, Shape } from '../shape.ts'
import { clip, fieldOf, isObject, type Path, textOf, type Value } from '../value.ts'
import { DPS_RULES, levelOf, ODPS_RULES, ruleFor } from './level.ts'
import type { Change, ChangeKind, Rule } from './level.ts'
import { type Pair, pairMembers, PORT_NAME_FIELDS } from './pair.ts'
import { nounFor, sentence } from './sentence.ts'

export { highestLevel } from './level.ts'
export type { Change, Level } from './level.ts'

/** A data product as it was read. */
export interface ReadProduct {
  product: DataProduct
  value: Value
}

/**
 * Lists what changed from one version to the next; empty exactly when both mean the same. Two formats are compared by
 * the ODPS form of both, and the paths lead into that form.
 */
export function diffDataProducts(before: ReadProduct, after: ReadProduct): Change[] {
  if (before.product.format === after.product.format) {
    return diffValues(before.value, after.value, after.product.format)
  }
  const changes = diffValues(odpsForm(before), odpsForm(after), 'odps')
  const formats = { before: before.product.format, after: after.product.format }
  const message = `The document is in ${NAMES[formats.after]} now; it was in ${NAMES[formats.before]}.`
  const change: Change = { path: '', kind: 'changed', level: 'wording', ...formats, message }
  return [change, ...changes.filter((one) => !isTrace(one))]
}

const NAMES = { odps: 'ODPS', dps: 'DPS' }

function odpsForm({ product, value }: ReadProduct): Value {
  return product.format === 'odps' ? value : odpsFromDps(value, product.id)
}

// What the conversion adds, so that it can be undone, is no part of the meaning.
function isTrace({ path, before, after }: Change): boolean {
  const item = after ?? before
  const isMark = textOf(fieldOf(item, 'property'))?.startsWith('dps.') === true
  return ['/apiVersion', '/kind'].includes(path) || (isMark && fieldOf(item, 'value') === null)
}

function diffValues(before: Value, after: Value, format: Format): Change[] {
  const walk = new Walk(format)
  walk.values({ before, after, shape: format === 'odps' ? ODPS_NEWEST : DPS, ...TOP })
  return walk.changes
}

// Two values, the way to each, and the place in the tables of decisions, where members of lists are `*`.
interface Step {
  before: Value | undefined
  after: Value | undefined
  shape: Shape
  beforePath: Path
  afterPath: Path
  place: readonly string[]
  /** What sentences call it: the thing that it belongs to, and the field in it. */
  owner: string
  field: string
}

const TOP = { beforePath: [], afterPath: [], place: [], owner: '', field: '' }

class Walk {
  readonly changes: Change[] = []
  readonly #isOdps: boolean
  readonly #rules: readonly Rule[]

  constructor(format: Format) {
    this.#isOdps = format === 'odps'
    this.#rules = format === 'odps' ? ODPS_RULES : DPS_RULES
  }

  values(step: Step): void {
    const { before, after, shape } = step
    if (before !== undefined && after !== undefined && isSame(before, after, shape)) return
    const found = this.changes.length
    const rule = chosen(shape, after ?? before ?? null)
    if (rule.kind === 'list' && rule.set) this.#set(step, rule.items)
    else if (rule.kind === 'object' || rule.kind === 'map') this.#fields(step, rule, [])
    // Something without parts, or without parts that changed (an empty list, say, that was absent).
    if (this.changes.length === found) this.#add(step)
  }

  #fields(step: Step, shape: ObjectShape | MapShape, except: readonly string[]): void {
    const before = step.before ?? {}
    const after = step.after ?? {}
    if (!isObject(before) || !isObject(after)) return
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (except.includes(name)) continue
      const known = shape.kind === 'map' ? shape.values : fieldShape(shape, name)
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
    for (const pair of pairMembers(list, before, after, { shape, isOdps: this.#isOdps })) {
      this.#member(step, list, pair, shape)
    }
  }

  #member(step: Step, list: string, { before, after, renamed }: Pair, shape: Shape): void {
    const noun = nounFor(list, after?.item ?? before?.item ?? null, this.#isOdps)
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
    if (before === undefined || after === undefined) this.#add(member)
    else if (renamed) this.#renamed(member, list)
    else if (isProperty) this.#property(member, property)
    else this.values(member)
  }

  #renamed(port: Step, list: string): void {
    const before = nounFor(list, port.before ?? null, this.#isOdps) ?? ''
    const message = `${before} was renamed; it is now ${port.owner.replace(/^\w+ port /, '')}.`
    this.#push(port, 'renamed', message)
    if (port.shape.kind === 'object') this.#fields(port, port.shape, PORT_NAME_FIELDS)
  }

  // What matters of a custom property is its value, so that stands where decisions look for the property.
  #property(step: Step, property: string): void {
    const found = this.changes.length
    const shape = property === 'server' ? map(any) : any
    this.#field(step, 'value', { shape, place: step.place })
    if (step.shape.kind === 'object') {
      const others = { ...step, place: [...step.place, '', ''] }
      this.#fields(others, step.shape, ['property', 'value'])
    }
    if (this.changes.length === found) this.#add(step)
  }

  #add(step: Step): void {
    const { before = null, after = null } = step
    const kind = kindOfChange(before, after)
    const subject = [step.owner, step.field].filter(Boolean).join(': ') || 'The document'
    const shown = (value: Value) => (step.field === '' ? shownOf(value) : value)
    this.#push(step, kind, sentence(subject, kind, shown(before), shown(after)))
  }

  #push(step: Step, kind: ChangeKind, message: string): void {
    const { before = null, after = null, afterPath, beforePath } = step
    const path = pointer(step.after === undefined ? beforePath : afterPath)
    const isNothing = says(before) === says(after) && !says(after)
    const level = isNothing ? 'wording' : levelOf(ruleFor(this.#rules, step.place), kind)
    this.changes.push({ path, kind, level, before, after, message })
  }
}

// Of a whole member of a list its name says enough; of a custom property the value belongs to it.
function shownOf(item: Value): Value | undefined {
  return fieldOf(item, 'property') === undefined ? undefined : fieldOf(item, 'value')
}

function isSame(before: Value, after: Value, shape: Shape): boolean {
  return canonicalText(before, shape) === canonicalText(after, shape)
}

// Null and a blank text say nothing, like a field that is absent.
function says(value: Value): boolean {
  return value !== null && value !== ''
}

function kindOfChange(before: Value, after: Value): ChangeKind {
  if (says(before) === says(after)) return 'changed'
  return says(after) ? 'added' : 'removed'
}

function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
