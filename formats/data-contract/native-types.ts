// The platform's own types in a contract. A contract has few of them, each at many fields.

import type { FieldBudget } from '../schema/field-budget.ts'
import type { Field, LogicalType } from '../schema/model.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { typedField } from '../schema/types/typed-field.ts'

interface Known {
  native: NativeType
  /** The facts that it states about any field, without nested types. */
  typed: Partial<Field>
  /** Of the fields nested in it. */
  fields: number
  /** It only states the type. */
  isPlain: boolean
}

/** Reads the types of a contract whose data is on a platform, each of them once. */
export class NativeTypes {
  readonly #platform: Platform | undefined
  readonly #budget: FieldBudget
  readonly #known = new Map<string, Known>()

  constructor(platform: Platform | undefined, budget: FieldBudget) {
    this.#platform = platform
    this.#budget = budget
  }

  /**
   * Sets the type of a field: the logical type of the document, or that of its physical type. Other facts of
   * a physical type only count if the two agree and the document does not state them itself.
   */
  apply(field: Field, told: LogicalType | undefined): void {
    if (told !== undefined) field.logicalType = told
    if (field.physicalType === undefined) return
    const { native, typed, fields, isPlain } = this.#read(field.physicalType)
    if (told !== undefined && told !== native.logicalType) return
    field.logicalType = native.logicalType
    if (isPlain) return
    const { maxLength, precision, scale, format, withTimeZone } = typed
    if (withTimeZone !== undefined) field.withTimeZone ??= withTimeZone
    if (maxLength !== undefined) field.maxLength ??= maxLength
    if (precision !== undefined) field.precision ??= precision
    if (scale !== undefined) field.scale ??= scale
    if (format !== undefined) field.format ??= format
    if (typed.enum !== undefined) field.enum ??= typed.enum
    if (fields === 0 || !this.#take(fields)) return
    if (typed.fields !== undefined)
      field.fields ??= typed.fields.map((one) => moved(one, field.origin))
    if (typed.items !== undefined) field.items ??= moved(typed.items, field.origin)
    if (typed.keys !== undefined) field.keys ??= moved(typed.keys, field.origin)
    if (typed.values !== undefined) field.values ??= moved(typed.values, field.origin)
  }

  #read(text: string): Known {
    const before = this.#known.get(text)
    if (before !== undefined) return before
    const native = readNativeType(text, this.#platform)
    const typed = typedField(native)
    const isPlain = Object.keys(typed).length === 1
    const known = { native, typed, fields: fieldsIn(native), isPlain }
    this.#known.set(text, known)
    return known
  }

  // A single text may describe thousands of fields, and be used by thousands of fields.
  #take(fields: number): boolean {
    for (let at = 0; at < fields; at += 1) {
      if (!this.#budget.take(() => {})) return false
    }
    return true
  }
}

// The nested parts of a type have the position of the type.
function moved(field: Field, origin: string): Field {
  const copy = { ...field, origin }
  if (copy.fields !== undefined) copy.fields = copy.fields.map((one) => moved(one, origin))
  if (copy.items !== undefined) copy.items = moved(copy.items, origin)
  if (copy.keys !== undefined) copy.keys = moved(copy.keys, origin)
  if (copy.values !== undefined) copy.values = moved(copy.values, origin)
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
