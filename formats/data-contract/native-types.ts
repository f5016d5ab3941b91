// Caches the native types of a contract. A contract has few of them, which many fields use.

import type { FieldBudget } from '../schema/field-budget.ts'
import type { Field, LogicalType } from '../schema/model.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { cutTypeMessage, isCutType } from '../schema/types/cut-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { getTypePlatform, setTypePlatform } from '../schema/types/type-platform.ts'
import { typedField } from '../schema/types/typed-field.ts'

interface Known {
  native: NativeType
  /** The properties that the type sets on any field, except nested fields. */
  typed: Partial<Field>
  /** The number of nested fields. */
  fields: number
  /** Whether the type only determines the logical type. */
  isPlain: boolean
}

/** Reports a problem at a JSON pointer into the document. */
type Warn = (origin: string, message: string) => void

/** Parses the types of a contract for a platform, each of them once. */
export class NativeTypes {
  readonly #platform: Platform | undefined
  readonly #typePlatform: Platform | undefined
  readonly #budget: FieldBudget
  readonly #warn: Warn
  readonly #cache = new Map<string, Known>()

  /** `isForeign`: the format of the document has a language of types of its own, which these are not in. */
  constructor(platform: Platform | undefined, budget: FieldBudget, warn: Warn, isForeign = false) {
    this.#platform = platform
    this.#budget = budget
    this.#warn = warn
    this.#typePlatform = isForeign ? platform : undefined
  }

  /**
   * Sets the type properties of a field: the logical type from the document, or else that of its physical type. Other
   * properties of the physical type only apply if both types agree and the document does not set them.
   */
  apply(field: Field, logicalType: LogicalType | undefined): void {
    if (logicalType !== undefined) field.logicalType = logicalType
    if (field.physicalType === undefined) return
    if (this.#typePlatform !== undefined) setTypePlatform(field, this.#typePlatform)
    const { native, typed, fields, isPlain } = this.#read(field.physicalType, field.origin)
    if (logicalType !== undefined && logicalType !== native.logicalType) return
    field.logicalType = native.logicalType
    if (isPlain) return
    const { maxLength, precision, scale, format, withTimeZone } = typed
    if (withTimeZone !== undefined) field.withTimeZone ??= withTimeZone
    if (maxLength !== undefined) field.maxLength ??= maxLength
    if (precision !== undefined) field.precision ??= precision
    if (scale !== undefined) field.scale ??= scale
    if (format !== undefined) field.format ??= format
    if (typed.vector !== undefined) field.vector ??= typed.vector
    if (typed.enum !== undefined) field.enum ??= typed.enum
    if (fields === 0 || !this.#take(fields)) return
    if (typed.fields !== undefined) {
      field.fields ??= typed.fields.map((one) => copyNested(one, field))
    }
    if (typed.items !== undefined) field.items ??= copyNested(typed.items, field)
    if (typed.keys !== undefined) field.keys ??= copyNested(typed.keys, field)
    if (typed.values !== undefined) field.values ??= copyNested(typed.values, field)
  }

  #read(text: string, origin: string): Known {
    const before = this.#cache.get(text)
    if (before !== undefined) return before
    if (isCutType(text)) this.#warn(origin, cutTypeMessage(text))
    const native = readNativeType(text, this.#platform)
    const typed = typedField(native)
    const isPlain = Object.keys(typed).length === 1
    const cached = { native, typed, fields: fieldsIn(native), isPlain }
    this.#cache.set(text, cached)
    return cached
  }

  // A short text may describe thousands of fields and appear thousands of times.
  #take(fields: number): boolean {
    for (let at = 0; at < fields; at += 1) {
      if (!this.#budget.take(() => {})) return false
    }
    return true
  }
}

// Nested fields have the position and the platform of the type.
function copyNested(nested: Field, owner: Field): Field {
  const copy = { ...nested, origin: owner.origin }
  const platform = getTypePlatform(owner)
  if (platform !== undefined) setTypePlatform(copy, platform)
  if (copy.fields !== undefined) copy.fields = copy.fields.map((one) => copyNested(one, owner))
  if (copy.items !== undefined) copy.items = copyNested(copy.items, owner)
  if (copy.keys !== undefined) copy.keys = copyNested(copy.keys, owner)
  if (copy.values !== undefined) copy.values = copyNested(copy.values, owner)
  return copy
}

function fieldsIn({ fields = [], items, keys, values }: NativeType): number {
  let count = 0
  for (const { type } of fields) count += 1 + fieldsIn(type)
  for (const part of [items, keys, values]) {
    if (part !== undefined) count += 1 + fieldsIn(part)
  }
  return count
}
