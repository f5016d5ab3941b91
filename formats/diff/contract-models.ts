// Compares the parts of two documents that describe models. The models themselves are already compared; this finds
// other changes in these parts, and changes of the text that change no model.

import { any, resolveShape, fieldShape, type PlainShape, type Shape } from '../shape/shape.ts'
import {
  clip,
  getField,
  isObject,
  type ObjectValue,
  type Path,
  pointer,
  type Value,
} from '../text/value.ts'
import type { Aspect, ModelChanges } from './model-changes.ts'
import { type ModelLayout, OPTION_ASPECTS } from './model-layout.ts'
import { isSame } from './same.ts'
import type { Step, Walk } from './walk.ts'

type Kind = 'model' | 'field'

const NOTHING: ReadonlySet<Aspect> = new Set()
const NO_FIELDS: ObjectValue = {}

interface Member {
  at: string | number
  item: Value
}

/** Compares the parts of documents that describe models, after the models themselves were compared. */
export class ModelTextComparison {
  readonly #walk: Walk
  readonly #changes: ModelChanges
  readonly #layout: ModelLayout
  // The aspects that changed in the model that is being compared.
  #ofModel: ReadonlySet<Aspect> = NOTHING

  constructor(walk: Walk, changes: ModelChanges, layout: ModelLayout) {
    this.#walk = walk
    this.#changes = changes
    this.#layout = layout
  }

  /** Compares the list or map of models. */
  models(step: Step): void {
    this.#container({ ...step, owner: '', place: ['model'] }, 'model', false)
  }

  // `isTold`: a change of the owner's fields is already reported.
  #container(step: Step, kind: Kind, isReported: boolean): void {
    const { before, after, shape } = step
    if (before === undefined || after === undefined) {
      if (!isReported && !this.#isExplained(step)) this.#walk.values(step)
      return
    }
    const rule = resolveShape(shape, after)
    if (Array.isArray(before) && Array.isArray(after)) {
      const items = rule.kind === 'list' ? rule.items : any
      if (!this.#aligned(step, kind, items, before, after)) {
        this.#list(step, kind, items, isReported, [before.map(toMember), after.map(toMember)])
      }
    } else if (isObject(before) && isObject(after)) {
      const values = rule.kind === 'map' ? rule.values : any
      const names = new Set([...Object.keys(before), ...Object.keys(after)])
      for (const name of names) {
        this.#pair(step, kind, values, findMember(before, name), findMember(after, name))
      }
    } else {
      this.#walk.values(step)
    }
  }

  // An added or removed list or map is reported by its members.
  #isExplained({ before, after, beforePath, afterPath }: Step): boolean {
    const isGone = after === undefined
    const given = isGone ? before : after
    const reported = isGone ? this.#changes.removed : this.#changes.added
    const path = isGone ? beforePath : afterPath
    const steps = Array.isArray(given) ? [...given.keys()] : Object.keys(given ?? NO_FIELDS)
    return steps.some((at) => reported.has(pointer([...path, at])))
  }

  // Fast path: usually no member was added, removed or moved, so no table of names is needed.
  #aligned(
    step: Step,
    kind: Kind,
    shape: Shape,
    before: readonly Value[],
    after: readonly Value[],
  ): boolean {
    const { getName } = this.#layout
    if (before.length !== after.length) return false
    if (!after.every((item, at) => getName(item) === getName(before[at] ?? null))) return false
    after.forEach((item, at) => {
      const old = before[at] ?? null
      if (isSame(old, item, shape)) return
      this.#pair(step, kind, shape, { at, item: old }, { at, item })
    })
    return true
  }

  #list(
    step: Step,
    kind: Kind,
    shape: Shape,
    isReported: boolean,
    [before, after]: [Member[], Member[]],
  ): void {
    const named = new Map<string, Member[]>()
    for (const member of before.toReversed()) {
      const name = this.#getName(member)
      const same = named.get(name)
      if (same === undefined) named.set(name, [member])
      else same.push(member)
    }
    const open = new Set(before)
    const origin = this.#changes.renamed.size === 0 ? undefined : pointer(step.afterPath)
    let last = -1
    let isReordered = false
    for (const member of after) {
      const partner =
        named.get(this.#getName(member))?.pop() ?? this.#renamedFrom(origin, before, member)
      if (partner !== undefined) {
        open.delete(partner)
        isReordered ||= Number(partner.at) < last
        last = Number(partner.at)
        if (isSame(partner.item, member.item, shape)) continue
      }
      this.#pair(step, kind, shape, partner, member)
    }
    for (const member of open) this.#pair(step, kind, shape, member, undefined)
    if (isReordered && !isReported) this.#reportOrder(step, before, after)
  }

  #renamedFrom(
    origin: string | undefined,
    before: readonly Member[],
    { at }: Member,
  ): Member | undefined {
    if (origin === undefined) return undefined
    const old = this.#changes.renamed.get(`${origin}/${at}`)
    return old === undefined ? undefined : before[Number(old.slice(old.lastIndexOf('/') + 1))]
  }

  #getName({ at, item }: Member): string {
    return this.#layout.getName(item) ?? `#${at}`
  }

  #reportOrder(step: Step, before: readonly Member[], after: readonly Member[]): void {
    const subject = [step.owner, step.field].filter(Boolean).join(': ')
    this.#walk.report(step, {
      kind: 'changed',
      level: 'wording',
      before: before.map((member) => this.#getName(member)),
      after: after.map((member) => this.#getName(member)),
      message: `${subject}: the order changed; members are identified by name.`,
    })
  }

  #pair(
    step: Step,
    kind: Kind,
    shape: Shape,
    before: Member | undefined,
    after: Member | undefined,
  ): void {
    const name = after?.at ?? before?.at ?? 0
    const called = this.#layout.getName(after?.item ?? before?.item ?? null) ?? String(name)
    const parent = step.owner.replace(/^\w+ /, '')
    const owner = kind === 'model' ? `Model ${clip(called)}` : `Field ${parent}.${clip(called)}`
    this.#part(
      {
        before: before?.item,
        after: after?.item,
        shape,
        beforePath: [...step.beforePath, before?.at ?? name],
        afterPath: [...step.afterPath, after?.at ?? name],
        place: [kind],
        owner,
        field: '',
      },
      kind,
    )
  }

  // Compares one model or field.
  #part(step: Step, kind: Kind): void {
    const { before, after, shape, beforePath, afterPath } = step
    if (before === undefined || after === undefined) {
      const isGone = after === undefined
      const reported = isGone ? this.#changes.removed : this.#changes.added
      if (!reported.has(pointer(isGone ? beforePath : afterPath))) this.#walk.values(step)
      return
    }
    if (isSame(before, after, shape)) return
    if (!isObject(before) || !isObject(after)) {
      this.#walk.values(step)
      return
    }
    const changed = this.#changes.reportedAspects.get(pointer(afterPath)) ?? NOTHING
    if (kind === 'model') this.#ofModel = changed
    const rule = resolveShape(shape, after)
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      this.#member(inside(step, name, rule, [kind, name]), kind, name, changed)
    }
  }

  #member(step: Step, kind: Kind, name: string, changed: ReadonlySet<Aspect>): void {
    const { before, after, shape } = step
    if (before !== undefined && after !== undefined && isSame(before, after, shape)) return
    const layout = this.#layout[kind]
    if (name === layout.fields) {
      this.#container(step, 'field', changed.has('order') || changed.has('type'))
    } else if (layout.single.includes(name)) {
      this.#single(step, name, changed)
    } else if (layout.holders?.has(name) && isPairOfObjects(step)) {
      this.#holder(step, layout.holders.get(name) ?? [], changed)
    } else if (name === 'logicalTypeOptions' && isPairOfObjects(step)) {
      this.#options(step, changed)
    } else if (
      !this.#isReported(layout.aspects.get(name), changed) &&
      !isExplainedReference(name, changed)
    ) {
      this.#walk.values(step)
    }
  }

  #isReported(aspects: readonly Aspect[] | undefined, changed: ReadonlySet<Aspect>): boolean {
    if (aspects === undefined) return false
    const isOfKey = aspects.includes('primaryKey') && this.#ofModel.has('primaryKey')
    return isOfKey || aspects.some((aspect) => changed.has(aspect))
  }

  #single(step: Step, name: string, changed: ReadonlySet<Aspect>): void {
    const { before, after } = step
    if (before === undefined || after === undefined) {
      if (!changed.has('nested') && !changed.has('type')) this.#walk.values(step)
      return
    }
    const suffix = name === 'items' ? '[]' : `{${name}}`
    this.#part({ ...step, owner: `${step.owner}${suffix}`, field: '' }, 'field')
  }

  #holder(step: Step, parts: readonly string[], changed: ReadonlySet<Aspect>): void {
    const { before, after, shape } = step
    const rule = resolveShape(shape, after ?? before ?? null)
    for (const name of new Set([...listNames(before), ...listNames(after)])) {
      const part = inside(step, name, rule, [...step.place, name])
      const isEqual =
        part.before !== undefined &&
        part.after !== undefined &&
        isSame(part.before, part.after, part.shape)
      if (isEqual) continue
      if (parts.includes(name)) this.#single(part, name, changed)
      else this.#walk.values(part)
    }
  }

  #options(step: Step, changed: ReadonlySet<Aspect>): void {
    const { before, after, shape } = step
    const rule = resolveShape(shape, after ?? null)
    for (const name of new Set([...listNames(before), ...listNames(after)])) {
      const option = inside(step, name, rule, [...step.place, name])
      const { before, after } = option
      const isEqual = before !== undefined && after !== undefined && isSame(before, after, any)
      if (!isEqual && !this.#isReported(OPTION_ASPECTS.get(name), changed))
        this.#walk.values(option)
    }
  }
}

// Changes of a definition are reported at the field that refers to it.
function isExplainedReference(name: string, changed: ReadonlySet<Aspect>): boolean {
  return name === '$ref' && changed.size > 0
}

function isPairOfObjects({ before, after }: Step): boolean {
  const isNone = before === undefined && after === undefined
  return !isNone && [before, after].every((value) => value === undefined || isObject(value))
}

function listNames(value: Value | undefined): string[] {
  return isObject(value) ? Object.keys(value) : []
}

function toMember(item: Value, at: number): Member {
  return { at, item }
}

function findMember(map: ObjectValue, name: string): Member | undefined {
  return Object.hasOwn(map, name) ? { at: name, item: map[name] ?? null } : undefined
}

function inside(step: Step, name: string, rule: PlainShape, place: readonly string[]): Step {
  const shape = fieldShape(rule, name)
  const path = (steps: Path): Path => [...steps, name]
  return {
    before: getField(step.before, name),
    after: getField(step.after, name),
    shape: shape ?? any,
    beforePath: path(step.beforePath),
    afterPath: path(step.afterPath),
    place,
    owner: step.owner,
    field: step.field === '' ? clip(name) : `${step.field}.${clip(name)}`,
  }
}
