// Writes models as schema objects of ODCS v3.1.0. Properties that the version has no field for become custom
// properties that the reader supports, so that reading the result returns the same models.

import { conforms } from '../../shape/inspect.ts'
import type { Field, LogicalType, Model, QualityCheck } from '../../schema/model.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { readNativeType } from '../../schema/types/read-type.ts'
import { typedField } from '../../schema/types/typed-field.ts'
import { any, resolveShape, fieldShape, type Shape, shapeAt } from '../../shape/shape.ts'
import { hasFormat } from '../../shape/text-format.ts'
import {
  getField,
  isObject,
  jsonText,
  type ObjectValue,
  put,
  type Value,
} from '../../text/value.ts'
import { Draft } from './draft.ts'
import { odcsShape } from './shape.ts'
import { readChecks, RULE_IS_IMPLEMENTATION, RULE_PROPERTY } from '../quality-checks.ts'

/** The versions that are written. */
export const ODCS_VERSIONS = ['v3.1.0', 'v3.2.0'] as const

/** A version that is written. */
export type OdcsVersion = (typeof ODCS_VERSIONS)[number]

/** The version that is written unless another one is requested. */
export const WRITTEN_VERSION: OdcsVersion = 'v3.1.0'

const SHAPE = odcsShape(WRITTEN_VERSION)

/** The shape of a property. */
export const PROPERTY = shapeAt(SHAPE, ['schema', 0, 'properties', 0]) ?? any

/** The shape of a check. */
export const CHECK = shapeAt(SHAPE, ['schema', 0, 'quality', 0]) ?? any

const STATED = new Set([
  'string',
  'date',
  'timestamp',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
])

const OPTIONS = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minItems',
  'maxItems',
] as const

/** The properties that parsing a physical type sets on a field. */
interface ReadType {
  logicalType: LogicalType
  withTimeZone: boolean | undefined
  impliedNames: readonly string[]
}

/** Adds further properties of a model or a field. */
type Extend = (of: Model | Field, draft: Draft) => void

/** Writes models; `platform` is the platform whose types the result uses. */
export class OdcsWriter {
  readonly #platform: Platform | undefined
  readonly #extend: Extend
  // Whether the version has maps, lists of values and deprecated fields.
  readonly #isNewer: boolean
  readonly #natives = new Map<string, ReadType>()

  constructor(platform: Platform | undefined, extend: Extend, version = WRITTEN_VERSION) {
    this.#platform = platform
    this.#isNewer = version === 'v3.2.0'
    this.#extend = extend
  }

  model(model: Model): ObjectValue {
    const draft = new Draft()
    draft.set('name', model.name)
    draft.set('physicalName', model.physicalName)
    draft.set('physicalType', model.kind)
    draft.set('description', model.description)
    draft.add('namespace', model.namespace)
    if (model.tags.length > 0) draft.set('tags', model.tags)
    if (model.quality.length > 0) draft.set('quality', model.quality.map(writeCheck))
    if (model.fields.length > 0) {
      const properties = model.fields.map((field) => {
        const position = model.primaryKey.indexOf(field.name) + 1
        return this.#property(field, position === 0 ? undefined : position, field.name)
      })
      draft.set('properties', properties)
    }
    writeForeignKeys(model, draft)
    this.#deprecate(model, draft)
    this.#extend(model, draft)
    return draft.result()
  }

  #property(field: Field, position?: number, name?: string): ObjectValue {
    const draft = new Draft()
    draft.set('name', name)
    draft.set('physicalName', field.physicalName)
    draft.set('physicalType', field.physicalType)
    draft.set('description', field.description)
    draft.set('classification', field.classification)
    if (field.required) draft.set('required', true)
    if (field.unique) draft.set('unique', true)
    if (position !== undefined) {
      draft.set('primaryKey', true)
      draft.set('primaryKeyPosition', position)
    }
    if (field.tags.length > 0) draft.set('tags', field.tags)
    this.#type(field, draft)
    draft.add('precision', field.precision)
    draft.add('scale', field.scale)
    writeChecks(field, draft)
    writeReferences(field.references, draft)
    this.#nested(field, draft)
    this.#deprecate(field, draft)
    this.#extend(field, draft)
    if (this.#isNewer) moveEnum(field, draft)
    return draft.result()
  }

  #deprecate({ deprecated }: Model | Field, draft: Draft): void {
    if (this.#isNewer) draft.set('deprecated', deprecated)
    else draft.add('deprecated', deprecated)
  }

  #isStated({ logicalType, keys, values, vector }: Field): boolean {
    if (STATED.has(logicalType) || !this.#isNewer) return STATED.has(logicalType)
    if (logicalType === 'map') return keys !== undefined && values !== undefined
    const { dimensions, elementType } = vector ?? {}
    return logicalType === 'vector' && dimensions !== undefined && elementType !== undefined
  }

  #type(field: Field, draft: Draft): void {
    const { logicalType } = field
    const isStated = this.#isStated(field)
    if (isStated) draft.set('logicalType', logicalType)
    if (this.#isMisread(field, isStated)) draft.add('dcs.logicalType', logicalType)
    const options: [string, Value][] = []
    const values = [...OPTIONS.map((name) => [name, field[name]] as const), this.#timezone(field)]
    for (const [name, value] of values) {
      if (value === undefined) continue
      const shape = optionShape(isStated ? logicalType : undefined, name)
      if (shape !== undefined && conforms(value, shape)) options.push([name, value])
      else draft.add(`dcs.${name}`, value)
    }
    if (isStated && logicalType === 'vector') options.push(...listVectorOptions(field))
    if (options.length > 0) draft.set('logicalTypeOptions', Object.fromEntries(options))
  }

  // The time zone is written unless the physical type implies it.
  #timezone({ withTimeZone, physicalType }: Field): readonly ['timezone', boolean | undefined] {
    const implied = physicalType === undefined ? undefined : this.#native(physicalType).withTimeZone
    return ['timezone', withTimeZone === implied ? undefined : withTimeZone]
  }

  // Returns whether the physical type without the logical type would be interpreted differently from the field.
  #isMisread(field: Field, isStated: boolean): boolean {
    const { physicalType, logicalType } = field
    if (physicalType === undefined) return !isStated && logicalType !== 'unknown'
    const native = this.#native(physicalType)
    if (native.logicalType !== logicalType) return !isStated
    return native.impliedNames.some((name) => !Object.hasOwn(field, name))
  }

  #native(text: string): ReadType {
    const before = this.#natives.get(text)
    if (before !== undefined) return before
    const typed = typedField(readNativeType(text, this.#platform))
    const { logicalType, withTimeZone } = typed
    const native = { logicalType, withTimeZone, impliedNames: Object.keys(typed) }
    this.#natives.set(text, native)
    return native
  }

  #nested(field: Field, draft: Draft): void {
    const { logicalType, fields, items, keys, values } = field
    if (logicalType === 'object' && fields !== undefined) {
      const properties = fields.map((nested) => this.#property(nested, undefined, nested.name))
      draft.set('properties', properties)
    }
    if (logicalType === 'array' && items !== undefined)
      draft.set('items', this.#part(items, 'items'))
    if (this.#isNewer && keys !== undefined && values !== undefined) {
      draft.set('map', { key: this.#part(keys, 'keys'), value: this.#part(values, 'values') })
      return
    }
    if (logicalType === 'map' && keys !== undefined) this.#entry(keys, 'keys', draft)
    if (logicalType === 'map' && values !== undefined) this.#entry(values, 'values', draft)
  }

  // The keys and values of a map are written as the name of their type, or completely if that is not enough.
  #entry(field: Field, part: 'keys' | 'values', draft: Draft): void {
    const property = part === 'keys' ? 'mapKey' : 'mapValue'
    const whole = this.#part(field, part)
    draft.add(`${property}Type`, field.physicalType)
    const isPlain = Object.keys(whole).length === 1 && field.physicalType !== undefined
    if (!isPlain) draft.add(property, whole)
  }

  #part(field: Field, part: 'items' | 'keys' | 'values'): ObjectValue {
    return this.#property(field, undefined, field.name === part ? undefined : field.name)
  }
}

function listVectorOptions({ vector }: Field): [string, Value][] {
  const { model, modelVersion, normalized, ...rest } = vector ?? {}
  const options: ObjectValue = { ...rest }
  if (normalized === true) options.normalized = true
  put(options, 'embeddingModel', model)
  put(options, 'embeddingModelVersion', modelVersion)
  return Object.entries(options)
}

// A list of values is a check in the older version; a rule of the author stays one.
function moveEnum({ enum: values }: Field, draft: Draft): void {
  const checks = draft.get('quality')
  if (values === undefined || !Array.isArray(checks)) return
  const [first, ...rest] = checks
  if (getField(getField(first, 'arguments'), 'validValues') !== values) return
  draft.set(
    'enum',
    values.map((value) => ({ value })),
  )
  draft.set('quality', rest)
  if (rest.length === 0) draft.delete('quality')
}

function optionShape(logicalType: string | undefined, name: string): Shape | undefined {
  if (logicalType === undefined) return undefined
  const options = fieldShape(resolveShape(PROPERTY, { logicalType }), 'logicalTypeOptions')
  return options && fieldShape(resolveShape(options, {}), name)
}

function writeChecks(field: Field, draft: Draft): void {
  const checks = field.quality.map(writeCheck)
  if (field.enum !== undefined) {
    const allowed = { validValues: field.enum }
    checks.unshift({ type: 'library', metric: 'invalidValues', arguments: allowed, mustBe: 0 })
  }
  if (checks.length > 0) draft.set('quality', checks)
}

/** Writes a check; a check that the standard would reject becomes a tool check that contains the rule unchanged. */
export function writeCheck(given: QualityCheck): Value {
  const { name, type, description, rule } = given
  const [again] = readChecks([rule], '', 'library')
  const isSame = again?.type === type && again.name === name && again.description === description
  if (isSame && isObject(rule) && conforms(rule, CHECK)) return rule
  const isPlain = typeof rule === 'string' || isObject(rule)
  const carried: ObjectValue = {
    type: 'custom',
    engine: type,
    implementation: isPlain ? rule : jsonText(rule),
  }
  put(carried, 'name', name)
  put(carried, 'description', description)
  const marker = { property: RULE_PROPERTY, value: isPlain ? RULE_IS_IMPLEMENTATION : { rule } }
  return { ...carried, customProperties: [marker] }
}

// Each reference is written with its field, too; a relationship of the model combines them.
function writeForeignKeys({ name, foreignKeys = [] }: Model, draft: Draft): void {
  const relationships = foreignKeys.map(({ fields, references }) => ({
    type: 'foreignKey',
    from: fields.map((field) => `${name}.${field}`),
    to: references,
  }))
  const written = relationships.filter(({ from, to }) => [...from, ...to].every(isReference))
  if (written.length > 0) draft.set('relationships', written)
}

// A path is read as names, except one into another file.
function isReference(text: string): boolean {
  return hasFormat(text, 'reference') && (!text.includes('/') || text.includes('#'))
}

function writeReferences(references: readonly string[], draft: Draft): void {
  if (references.length === 0) return
  if (references.every(isReference))
    draft.set(
      'relationships',
      references.map((to) => ({ type: 'foreignKey', to })),
    )
  else draft.add('dcs.references', [...references])
}
