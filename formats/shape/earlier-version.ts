// Writes a document of a newer version of a standard in an older one, and restores it. What the older version lacks
// becomes custom properties, `odcs32.vector`, of the nearest object that may have some. The result is valid in the older
// version, except for fields that it requires and the newer one does not.

import { canonicalText } from './canonical.ts'
import { conforms } from './inspect.ts'
import { any, type ObjectShape, type Shape, fieldShape, resolveShape } from './shape.ts'
import { asText, getField, isObject, type ObjectValue, type Value } from '../text/value.ts'

const CUSTOM = 'customProperties'

/** The custom property that holds a whole object, and the one that names fields which were added. */
const WHOLE = '*'
const ADDED = '+'

/** The older version, and how its custom properties begin. */
interface Earlier {
  shape: ObjectShape
  prefix: string
  /** Values that only the older version has in some fields, such as its number. */
  given: ObjectValue
  /** Values for fields that only the older version requires. */
  required: ObjectValue
  /** Returns an object of which the older version has no kind in a form that it has; undefined if there is none. */
  replace?: (value: ObjectValue, place: string) => ObjectValue | undefined
}

/** Writes a document in an older version. */
export function toEarlier(value: ObjectValue, earlier: Earlier): ObjectValue {
  const absent = Object.keys(earlier.required).filter((name) => !Object.hasOwn(value, name))
  const completed = { ...value, ...earlier.given }
  for (const name of absent) completed[name] = earlier.required[name] ?? null
  const fitted = new Fitting(earlier).object(completed, earlier.shape) ?? completed
  let marked = absent.length === 0 ? fitted : addCustom(fitted, earlier.prefix + ADDED, absent)
  for (const name of Object.keys(earlier.given)) {
    marked = addCustom(marked, earlier.prefix + name, value[name] ?? null)
  }
  // Custom properties of these names may have been there before.
  const restored = fromEarlier(marked, earlier.prefix)
  const isRestored = canonicalText(restored, any) === canonicalText(value, any)
  return isRestored ? marked : addCustom(marked, earlier.prefix + WHOLE, value)
}

class Fitting {
  readonly #earlier: Earlier

  constructor(earlier: Earlier) {
    this.#earlier = earlier
  }

  /** Fits an object; undefined if the older version cannot have it. */
  object(value: ObjectValue, shape: Shape): ObjectValue | undefined {
    const fields = new Map<string, Value>()
    const rest: [string, Value][] = []
    const plain = resolveShape(shape, value)
    for (const [name, member] of Object.entries(value)) {
      const kept = this.#member(name, member, fieldShape(plain, name))
      if (kept !== undefined) fields.set(name, kept.value)
      if (kept?.isWhole !== true) rest.push([name, member])
    }
    let fitted: ObjectValue = Object.fromEntries(fields)
    if (rest.length > 0 && fieldShape(plain, CUSTOM) === undefined) return undefined
    for (const [name, member] of rest) {
      fitted = addCustom(fitted, this.#earlier.prefix + name, member)
    }
    if (conforms(fitted, shape)) return fitted
    // A field may only be allowed beside one that the older version lacks.
    return rest.length > 0 ? this.object(fitted, shape) : undefined
  }

  #member(
    name: string,
    value: Value,
    shape: Shape | undefined,
  ): { value: Value; isWhole: boolean } | undefined {
    if (shape === undefined) return undefined
    if (conforms(value, shape)) return { value, isWhole: true }
    const plain = resolveShape(shape, value)
    if (isObject(value) && (plain.kind === 'object' || plain.kind === 'map')) {
      const fitted = this.object(value, shape)
      return fitted === undefined ? undefined : { value: fitted, isWhole: true }
    }
    if (!Array.isArray(value) || plain.kind !== 'list') return undefined
    const items = value.map((item) => this.#item(name, item, plain.items))
    const kept = items.filter((item) => item !== undefined)
    const list = kept.map((item) => item.value)
    if (!conforms(list, shape)) return undefined
    const isWhole = kept.length === items.length && kept.every((item) => item.isWhole)
    return { value: list, isWhole }
  }

  #item(name: string, item: Value, shape: Shape): { value: Value; isWhole: boolean } | undefined {
    if (conforms(item, shape)) return { value: item, isWhole: true }
    if (!isObject(item)) return undefined
    const fitted = this.object(item, shape)
    if (fitted !== undefined) return { value: fitted, isWhole: true }
    const other = this.#earlier.replace?.(item, name)
    if (other !== undefined && conforms(other, shape)) {
      const whole = addCustom(other, this.#earlier.prefix + WHOLE, item)
      if (conforms(whole, shape)) return { value: whole, isWhole: true }
    }
    // Without custom properties, what the item has in both versions stays, and the whole list is kept beside it.
    const plain = resolveShape(shape, item)
    const known = Object.entries(item).filter(([field, value]) => {
      const member = fieldShape(plain, field)
      return member !== undefined && conforms(value, member)
    })
    const trimmed: ObjectValue = Object.fromEntries(known)
    return conforms(trimmed, shape) ? { value: trimmed, isWhole: false } : undefined
  }
}

function addCustom(value: ObjectValue, property: string, member: Value): ObjectValue {
  const list = getField(value, CUSTOM)
  return { ...value, [CUSTOM]: [...(Array.isArray(list) ? list : []), { property, value: member }] }
}

/** Restores a document that `toEarlier` wrote; other documents stay as they are. */
export function fromEarlier(value: Value, prefix: string): Value {
  if (Array.isArray(value)) return value.map((item) => fromEarlier(item, prefix))
  if (!isObject(value)) return value
  const custom = getField(value, CUSTOM)
  const own = Array.isArray(custom)
    ? custom.filter((item) => getName(item, prefix) !== undefined)
    : []
  const whole = own.findLast((item) => getName(item, prefix) === WHOLE)
  if (whole !== undefined) return getField(whole, 'value') ?? null
  const fields = new Map(Object.entries(value))
  if (Array.isArray(custom) && own.length > 0) {
    const rest = custom.filter((item) => !own.includes(item))
    if (rest.length > 0) fields.set(CUSTOM, rest)
    else fields.delete(CUSTOM)
  }
  const restored = new Map([...fields].map(([name, one]) => [name, fromEarlier(one, prefix)]))
  for (const item of own) {
    const name = getName(item, prefix) ?? ''
    const member = getField(item, 'value') ?? null
    if (name !== ADDED) restored.set(name, member)
    else if (Array.isArray(member)) {
      for (const added of member) restored.delete(asText(added) ?? '')
    }
  }
  return Object.fromEntries(restored)
}

function getName(item: Value, prefix: string): string | undefined {
  const property = asText(getField(item, 'property'))
  return property?.startsWith(prefix) === true ? property.slice(prefix.length) : undefined
}
