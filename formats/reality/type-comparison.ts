// Compares the type of a field with that of its column. A known physical type decides on its own platform; elsewhere, and
// without one, only the category of the values is promised. A type that a platform does not have is never taken as kept.

import { compareFieldTypes, typeText } from '../diff/field-type.ts'
import { KnownTypes } from '../diff/known-types.ts'
import type { Verdict } from '../diff/model-changes.ts'
import type { Field } from '../schema/model.ts'
import { plainField } from '../schema/plain.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import type { ActualColumn, ActualModel } from './actual.ts'
import { isInCategory } from './categories.ts'
import type { PromisedField, PromisedModel } from './promise.ts'

/** The result for one column: kept, broken with both texts, or not comparable with the reason. */
type TypeResult =
  | { state: 'kept' }
  | { state: 'differs'; isNarrower: boolean; promised: string; actual: string }
  | { state: 'unverifiable'; reason: string }

const KEPT: TypeResult = { state: 'kept' }
const CONTAINERS: ReadonlySet<string> = new Set(['array', 'map', 'object'])

/** Compares the types of one promise with those of one table. */
export class TypeComparison {
  readonly #promise: PromisedModel
  readonly #platform: Platform | undefined
  readonly #hidesJson: boolean
  readonly #known = new KnownTypes()

  constructor(
    promise: PromisedModel,
    { platform, product, kind }: Pick<ActualModel, 'platform' | 'product' | 'kind'>,
  ) {
    this.#promise = promise
    this.#platform = platform
    // JSON of MariaDB is a text with a check, which its views do not have.
    this.#hidesJson = product === 'mariadb' && kind === 'view'
  }

  /** Compares the type of a column without its nested fields, which are columns of their own. */
  compare(promised: PromisedField, actual: ActualColumn): TypeResult {
    const { types } = this.#promise
    const isDecisive = types !== undefined && types === this.#platform
    const result =
      promised.type === undefined || !isDecisive
        ? this.#compareCategories(promised, actual)
        : this.#compareTypes(promised, promised.type, actual)
    const isHidden = this.#hidesJson && actual.field.physicalType === 'longtext'
    return result.state === 'differs' && isHidden && promised.logicalType !== 'string'
      ? unverifiable('A view of MariaDB reports JSON as longtext')
      : result
  }

  #compareTypes(
    promised: PromisedField,
    type: string,
    { field, baseType }: ActualColumn,
  ): TypeResult {
    const { physicalType } = field
    if (physicalType !== undefined && isSameName(type, physicalType)) return KEPT
    const expected = this.#read(type)
    if (expected === undefined) return unverifiable(`${this.#platform} has no type "${type}"`)
    const text = this.#read(physicalType) === undefined ? baseType : physicalType
    const native = this.#read(text)
    if (native === undefined || text === undefined) {
      // The labels of an enumeration are texts, and the name of its type is any word.
      if (field.enum === undefined) return unverifiable(unknownColumnType(field))
      const isText = expected.logicalType === 'string' && expected.enum === undefined
      return differs(type, field, isText)
    }
    // Nested fields that the contract lists are compared one by one; a `RECORD` promises none.
    const isWhole = !hasParts(promised) && hasParts(expected)
    const wanted = toTyped(expected, type, isWhole)
    if (promised.precision !== undefined) wanted.precision = promised.precision
    if (promised.scale !== undefined) wanted.scale = promised.scale
    const verdict = this.#compareNative(wanted, toTyped(native, text, isWhole))
    return verdict === 'same' ? KEPT : differs(typeText(wanted), field, verdict === 'narrower')
  }

  #compareNative(before: Field, after: Field): Verdict {
    const platforms = { before: this.#platform, after: this.#platform, known: this.#known }
    return compareFieldTypes(before, after, platforms)?.verdict ?? 'same'
  }

  #compareCategories({ logicalType, type }: PromisedField, { field }: ActualColumn): TypeResult {
    const { types, hasNoTimestamps = false } = this.#promise
    const elsewhere =
      type === undefined || types === undefined ? undefined : this.#read(type, types)
    const wanted = [logicalType, elsewhere?.logicalType].filter(
      (one) => one !== undefined && one !== 'unknown',
    )
    if (wanted.length === 0) {
      return type === undefined ? KEPT : unverifiable(`"${type}" is a type of another platform`)
    }
    if (field.logicalType === 'unknown') {
      if (field.physicalType === undefined) return unverifiable('The column has no type')
      return unverifiable(unknownColumnType(field))
    }
    if (wanted.some((one) => one !== undefined && isInCategory(one, field, hasNoTimestamps))) {
      return KEPT
    }
    return differs(wanted[0] ?? '', field, false)
  }

  #read(text: string | undefined, platform = this.#platform): NativeType | undefined {
    if (text === undefined) return undefined
    const native = this.#known.readField({ ...NO_FIELD, physicalType: text }, platform)
    return native === undefined || native.logicalType === 'unknown' ? undefined : native
  }
}

const NO_FIELD = plainField('', 'unknown', '')

function toTyped(native: NativeType, text: string, isWhole: boolean): Field {
  const isContainer = CONTAINERS.has(native.logicalType) && native.format === undefined
  if (isContainer && !isWhole) return { ...NO_FIELD, logicalType: native.logicalType }
  return { ...NO_FIELD, ...typedField(native), physicalType: text }
}

function hasParts({ fields, items, keys }: PromisedField | NativeType): boolean {
  return (fields ?? items ?? keys) !== undefined
}

// The schema of a type is often omitted: `public.mood`.
function isSameName(one: string, other: string): boolean {
  const [a, b] = [normalize(one), normalize(other)]
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)
}

function normalize(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ').replaceAll('"', '')
}

function unknownColumnType({ physicalType = '' }: Field): string {
  return `The type "${physicalType}" of the column is not known`
}

function unverifiable(reason: string): TypeResult {
  return { state: 'unverifiable', reason: `${reason}.` }
}

function differs(promised: string, field: Field, isNarrower: boolean): TypeResult {
  return { state: 'differs', isNarrower, promised, actual: typeText(field) }
}
