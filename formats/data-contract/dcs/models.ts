// Reads the models of a DCS document: `models` with their fields, which may inherit from `definitions`.

import { nonBlankText, listTexts } from '../../data-product/fields.ts'
import { type Notes, PROBLEMS_MAX } from '../../text/problem.ts'
import { FieldBudget, REFERRED_FIELDS, WRITTEN_FIELDS } from '../../schema/field-budget.ts'
import type { Field, Model } from '../../schema/model.ts'
import { plainField, plainModel } from '../../schema/plain.ts'
import type { Platform } from '../../schema/types/native-type.ts'
import { clip, getField, isObject, type ObjectValue, pointerStep, put } from '../../text/value.ts'
import { asText, type Value } from '../../text/value.ts'
import { readDefinitionAddress } from '../definition-uses.ts'
import { dcsLogicalType, dcsTimeZone, Definitions } from './field.ts'
import { LAST_POSITION, readCount, readRestriction, setPrimaryKey, toPath } from '../model-parts.ts'
import { NativeTypes } from '../native-types.ts'
import { noteReferencesToNowhere } from '../references.ts'
import { parseModelKind } from '../odcs/models.ts'
import { moveEnumeration, readChecks } from '../quality-checks.ts'

const NOTHING: ObjectValue = {}

/** The properties of a server that readers of models need: its type, and the platform of its types. */
export interface DcsPlatform {
  /** `snowflake`: native types of fields are in `config.snowflakeType`. */
  serverType: string | undefined
  platform: Platform | undefined
}

/**
 * Reads the models of a DCS document; reports references to unknown definitions and fields, and models that are too
 * deep or too large.
 */
export function dcsModels(value: ObjectValue, server: DcsPlatform, notes: Notes): Model[] {
  const models = new DcsReader(value, server, notes).models()
  noteReferencesToNowhere(models, value, notes)
  return models
}

/** Reads models, and records the source of each field. */
export class DcsReader {
  readonly #value: ObjectValue
  readonly #server: DcsPlatform
  readonly #notes: Notes
  readonly #definitions: Definitions
  readonly #budget: FieldBudget
  readonly #types: NativeTypes
  // The definitions that enclose the current field.
  readonly #around: string[] = []
  /** The source of each model and field, with its inherited properties. */
  readonly sources = new Map<Model | Field, ObjectValue>()

  constructor(value: ObjectValue, server: DcsPlatform, notes: Notes) {
    this.#value = value
    this.#server = server
    this.#notes = notes
    this.#definitions = new Definitions(value)
    const hasDefinitions = getField(value, 'definitions') !== undefined
    this.#budget = new FieldBudget(hasDefinitions ? REFERRED_FIELDS : WRITTEN_FIELDS)
    const warn = (origin: string, message: string): void => this.#warn(origin, message)
    this.#types = new NativeTypes(server.platform, this.#budget, warn, true)
  }

  models(): Model[] {
    const models = getField(this.#value, 'models')
    if (!isObject(models)) return []
    return Object.keys(models).map((name) => this.#model(name, models[name] ?? null))
  }

  #model(name: string, given: Value): Model {
    const raw = isObject(given) ? given : NOTHING
    const origin = `/models/${pointerStep(name)}`
    const model = plainModel(name, origin)
    this.sources.set(model, raw)
    model.kind = parseModelKind(asText(getField(raw, 'type')))
    put(model, 'description', nonBlankText(getField(raw, 'description')))
    put(model, 'namespace', nonBlankText(getField(getField(raw, 'config'), 'avroNamespace')))
    const physicalName = readPhysicalName(raw)
    if (physicalName !== name) put(model, 'physicalName', physicalName)
    model.quality = readChecks(getField(raw, 'quality'), `${origin}/quality`, 'custom')
    model.fields = this.#fields(getField(raw, 'fields'), `${origin}/fields`, 1)
    const key = listTexts(getField(raw, 'primaryKey'))
    if (key.length > 0) {
      for (const field of model.fields) {
        const at = key.indexOf(field.name)
        if (at === -1) delete field.primaryKeyPosition
        else field.primaryKeyPosition = at + 1
      }
    }
    setPrimaryKey(model)
    return model
  }

  #fields(given: Value | undefined, origin: string, depth: number): Field[] {
    if (!isObject(given)) return []
    const names = Object.keys(given)
    if (names.length === 0) return []
    if (!this.#budget.reaches(depth, (message) => this.#warn(origin, message))) return []
    const fields: Field[] = []
    for (const name of names) {
      const raw = given[name] ?? null
      const field = this.#field(raw, name, `${origin}/${pointerStep(name)}`, depth)
      if (field === undefined) break
      fields.push(field)
    }
    return fields
  }

  // Undefined if there are too many fields.
  #field(given: Value, name: string, origin: string, depth: number): Field | undefined {
    if (!this.#budget.take((message) => this.#warn(origin, message))) return undefined
    const raw = this.#resolved(isObject(given) ? given : NOTHING, origin)
    const field = plainField(name, 'unknown', origin)
    this.sources.set(field, raw)
    const type = nonBlankText(getField(raw, 'type'))
    const statedType = dcsLogicalType(type) ?? impliedType(raw)
    const nativeType = ownType(raw, this.#server.serverType)
    put(field, 'physicalType', nativeType ?? type)
    readPlain(field, raw, origin)
    // DCS type names are not native types, and do not define lengths and digits.
    if (nativeType === undefined && statedType !== undefined) field.logicalType = statedType
    else this.#types.apply(field, statedType)
    if (field.logicalType === 'timestamp' && field.withTimeZone === undefined) {
      put(field, 'withTimeZone', dcsTimeZone(type))
    }
    if (depth > 1) delete field.primaryKeyPosition
    const reference = asText(getField(raw, '$ref'))
    // A recursive type is infinite; it is reported once.
    if (reference !== undefined && this.#around.includes(reference)) return field
    if (reference !== undefined) this.#around.push(reference)
    this.#nested(field, raw, depth)
    if (reference !== undefined) this.#around.pop()
    return field
  }

  #nested(field: Field, raw: ObjectValue, depth: number): void {
    const { origin } = field
    if (field.logicalType === 'object') {
      const fields = this.#fields(getField(raw, 'fields'), `${origin}/fields`, depth + 1)
      if (fields.length > 0) field.fields = fields
    } else if (field.logicalType === 'array') {
      this.#part(field, 'items', raw, depth)
    } else if (field.logicalType === 'map') {
      this.#part(field, 'keys', raw, depth)
      this.#part(field, 'values', raw, depth)
    }
  }

  #part(field: Field, part: 'items' | 'keys' | 'values', raw: ObjectValue, depth: number): void {
    const given = getField(raw, part)
    if (!isObject(given)) return
    const origin = `${field.origin}/${part}`
    if (!this.#budget.reaches(depth + 1, (message) => this.#warn(origin, message))) return
    put(field, part, this.#field(given, part, origin, depth + 1))
  }

  #resolved(raw: ObjectValue, origin: string): ObjectValue {
    const { field, missing } = this.#definitions.resolve(raw)
    // A definition of the catalog is linked, not copied.
    if (missing !== undefined && readDefinitionAddress(missing) === undefined) {
      const message = `Unknown definition "${clip(missing)}"; add it to "definitions".`
      this.#warn(`${origin}/$ref`, message)
    }
    return field
  }

  #warn(origin: string, message: string): void {
    if (this.#notes.warnings.length >= PROBLEMS_MAX) return
    this.#notes.warning(toPath(this.#value, origin), message)
  }
}

// `config.snowflakeTable` is the physical name of a model.
function readPhysicalName(raw: ObjectValue): string | undefined {
  const config = getField(raw, 'config')
  if (!isObject(config)) return undefined
  const name = Object.keys(config).find((key) => key.endsWith('Table'))
  return name === undefined ? undefined : nonBlankText(config[name])
}

function ownType(raw: ObjectValue, serverType: string | undefined): string | undefined {
  if (serverType === undefined) return undefined
  return nonBlankText(getField(getField(raw, 'config'), `${serverType.toLowerCase()}Type`))
}

// A field without a type has the type that its nested fields imply.
function impliedType(raw: ObjectValue): 'object' | 'array' | undefined {
  if (getField(raw, 'type') !== undefined) return undefined
  if (isObject(getField(raw, 'fields'))) return 'object'
  return isObject(getField(raw, 'items')) ? 'array' : undefined
}

function readPlain(field: Field, raw: ObjectValue, origin: string): void {
  for (const name of Object.keys(raw)) readAttribute(field, name, raw[name] ?? null, origin)
  moveEnumeration(field)
}

function readAttribute(field: Field, name: string, value: Value, origin: string): void {
  switch (name) {
    case 'description':
    case 'classification':
      put(field, name, nonBlankText(value))
      break
    case 'precision':
    case 'scale':
      put(field, name, readCount(value))
      break
    case 'required':
    case 'unique':
      field[name] = value === true
      break
    case 'primary':
    case 'primaryKey':
      if (value === true) field.primaryKeyPosition = LAST_POSITION
      break
    case 'tags':
      field.tags = listTexts(value)
      break
    case 'references':
      field.references = [nonBlankText(value) ?? []].flat()
      break
    case 'enum':
      if (Array.isArray(value)) field.enum = value
      break
    case 'quality':
      field.quality = readChecks(value, `${origin}/quality`, 'custom')
      break
    default:
      readRestriction(field, name, value)
  }
}
