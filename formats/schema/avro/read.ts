// Reads Apache Avro (https://avro.apache.org/docs/1.12.0/specification/). Records are models; nested records
// are objects. Nullable fields are not required. A recursive record is an object without fields that refers
// to it by name. The branches of a union are separate fields; attributes that the specification does not
// define are annotations and not read.

import { compareText } from '../../text/problem.ts'
import {
  clip,
  getField,
  isObject,
  type ObjectValue,
  put,
  asText,
  type Value,
} from '../../text/value.ts'
import { canonicalizeAvro } from './canonical.ts'
import { DefaultCheck } from './default-check.ts'
import { getFullName, isNamedType, lastName, NamedTypes, getNamespace } from './names.ts'
import { readScalar } from './scalar.ts'
import { addFieldTraits, addTrait, addTypeName, addTypeTraits, AVRO } from './traits.ts'
import { getBranchName, readTypeAliases } from './traits.ts'
import { FieldBudget, REFERRED_FIELDS } from '../field-budget.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import type { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'

/** Avro's names have letters, digits and `_`; any other name is stored in this property beside Avro's. */
export const NAME_PROPERTY = 'portbook.name'

/** Reads Avro: a record, a list of records, or a protocol. Anything else gives a warning and no model. */
export function readAvro(specification: Specification): Model[] {
  const value = specification.value()
  return value === undefined ? [] : avroModels(specification, value)
}

/** Reads the models of an Avro schema whose text has been read before. */
export function avroModels(specification: Specification, value: Value): Model[] {
  const top = Spot.top(specification)
  const types = getField(value, 'types')
  if (getField(value, 'protocol') !== undefined && Array.isArray(types)) {
    const namespace = asText(getField(value, 'namespace'))
    return new Reader(value, types, top.at('types'), namespace).models()
  }
  return new Reader(value, value, top, undefined).models()
}

/** Returns whether a value is an Avro record, or a list with one. */
export function isAvro(value: Value | undefined): boolean {
  return Array.isArray(value) ? value.some((item) => isRecord(item)) : isRecord(value)
}

function isRecord(value: Value | undefined): value is ObjectValue {
  const type = getField(value, 'type')
  return (type === 'record' || type === 'error') && Array.isArray(getField(value, 'fields'))
}

/** The use of a type with its surroundings. */
interface Use {
  given: Value | undefined
  spot: Spot
  namespace: string | undefined
  depth: number
  /** The full names of the enclosing records. */
  records: readonly string[]
  /** Counts its fields. */
  budget: FieldBudget
}

// Branches of unions have a budget of their own, so that they never use up that of the fields which pages show.
const silently = (): void => {}

class Reader {
  readonly #whole: Value
  readonly #schema: Value
  readonly #top: Spot
  readonly #namespace: string | undefined
  readonly #types: NamedTypes
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #branchBudget = new FieldBudget(REFERRED_FIELDS)
  /** Named types that models have. */
  readonly #used = new Set<string>()
  readonly #defaults: DefaultCheck
  /** Parts that no model shows. */
  readonly #unread = new Set<Value>()

  /** `whole` is the schema, or the protocol in which it is a list of types. */
  constructor(whole: Value, schema: Value, top: Spot, namespace: string | undefined) {
    this.#whole = whole
    this.#schema = schema
    this.#top = top
    this.#namespace = namespace
    this.#types = new NamedTypes(schema, top, namespace)
    this.#defaults = new DefaultCheck(this.#types)
  }

  models(): Model[] {
    const models = Array.isArray(this.#schema)
      ? this.#schema.flatMap((item, index) => this.#readModels(item, this.#top.at(index)))
      : this.#readModels(this.#schema, this.#top)
    this.#addUnread(models)
    return models
  }

  // Changes of parts that no model shows must still be detected. The model with the first name carries them,
  // in any order of models.
  #addUnread(models: readonly Model[]): void {
    const [first] = models.toSorted((a, b) => compareText(a.name, b.name))
    if (first === undefined) return
    if (this.#budget.isExceeded || this.#branchBudget.isExceeded) this.#unread.add(this.#whole)
    const types = Array.isArray(this.#schema) ? this.#schema : []
    for (const type of types) {
      const isUsed = isNamedType(type) && this.#used.has(getFullName(type, this.#namespace))
      if (!isRecord(type) && !isUsed && isNamedType(type)) this.#unread.add(type)
    }
    const messages = this.#whole === this.#schema ? undefined : getField(this.#whole, 'messages')
    if (isObject(messages) && Object.keys(messages).length > 0) {
      this.#unread.add({ protocol: '', types: [], messages })
    }
    const texts = [...this.#unread].map((part) => canonicalizeAvro(part))
    if (texts.length > 0) addTrait(first, 'unanalyzed', texts.toSorted(compareText))
  }

  #readModels(given: Value, spot: Spot): Model[] {
    // A registry's answer holds the schema under its own "type".
    const inner = getField(given, 'type')
    if (isObject(inner)) return this.#readModels(inner, spot.at('type'))
    const named = typeof given === 'string' ? this.#types.find(given, this.#namespace) : undefined
    if (named !== undefined && isRecord(named.schema)) {
      return [this.#model(named.schema, named.spot, named.fullName)]
    }
    if (isRecord(given)) return [this.#model(given, spot, getFullName(given, this.#namespace))]
    if (!isNamedType(given) || getField(given, 'type') === 'record') {
      this.#unread.add(given)
      spot.warning(
        'This is not an Avro record; write "type: record", a name, and a list of fields.',
      )
    }
    return []
  }

  #model(record: ObjectValue, spot: Spot, fullName: string): Model {
    const name = catalogName(record) ?? lastName(fullName)
    if (name === '') spot.warning('This record has no name; write "name: …".')
    const model = plainModel(name === '' ? 'record' : name, spot.origin)
    const namespace = getNamespace(fullName)
    put(model, 'namespace', namespace)
    put(model, 'description', asText(getField(record, 'doc')))
    const aliases = readTypeAliases(record, fullName)
    if (aliases.length > 0) addTrait(model, AVRO.aliases, aliases)
    const [records, budget] = [[fullName], this.#budget]
    model.fields = this.#fields({ given: record, spot, namespace, depth: 1, records, budget })
    return model
  }

  #fields(record: Use): Field[] {
    const given = getField(record.given, 'fields')
    if (!Array.isArray(given)) {
      record.spot.warning('A record has a list of fields; write "fields: []" for none.')
      this.#unread.add(record.given ?? null)
      return []
    }
    const fields: Field[] = []
    for (const [index, member] of given.entries()) {
      const spot = record.spot.at('fields').at(index)
      const name = catalogName(member) ?? asText(getField(member, 'name'))
      if (name === undefined) {
        spot.warning('This field has no name; write "name: …".')
        this.#unread.add(member)
        continue
      }
      const use = { ...record, ...typeIn(member, spot) }
      const field = this.#field(name, spot, use)
      if (field === undefined) break
      this.#defaults.checkField(member, spot, use)
      addFieldTraits(field, member)
      put(field, 'description', asText(getField(member, 'doc')))
      fields.push(field)
    }
    return fields
  }

  /** Undefined when there are too many fields. */
  #field(name: string, spot: Spot, use: Use): Field | undefined {
    const isBranch = use.budget === this.#branchBudget
    const warn = isBranch ? silently : (message: string): void => spot.warning(message)
    if (!use.budget.take(warn)) return undefined
    const field = plainField(name, 'unknown', spot.origin)
    const { kinds, isNullable } = getKinds(use)
    field.required = !isNullable
    const [kind, another] = kinds
    if (kind === undefined) {
      if (isNullable) addTrait(field, AVRO.onlyNull, true)
      else spot.warning('This has no type; write "type: …".')
    } else if (another === undefined) {
      this.#typed(field, kind)
    } else {
      this.#union(field, kinds)
    }
    return field
  }

  #union(field: Field, kinds: readonly Use[]): void {
    const branches: Field[] = []
    for (const kind of kinds) {
      const use = { ...kind, depth: kind.depth + 1, budget: this.#branchBudget }
      if (!this.#reaches(use.depth, use) || !use.budget.take(silently)) break
      const branch = plainField('', 'unknown', kind.spot.origin)
      branch.required = true
      this.#typed(branch, use)
      branch.name = getBranchName(branch)
      branches.push(branch)
    }
    field.branches = branches
    field.physicalType = describeUnion(branches)
  }

  #typed(field: Field, use: Use): void {
    const { given } = use
    const inner = getField(given, 'type')
    // A type may be wrapped: {type: {type: "long"}}.
    if (isObject(inner))
      return this.#typed(field, { ...use, given: inner, spot: use.spot.at('type') })
    const type = asText(given) ?? asText(inner)
    if (type === 'record' || type === 'error') return this.#object(field, use)
    if (type === 'array') return this.#holder(field, 'items', use)
    if (type === 'map') return this.#holder(field, 'values', use)
    const schema: ObjectValue = isObject(given) ? given : type === undefined ? {} : { type }
    const scalar = readScalar(schema, (message) => use.spot.warning(message))
    if (scalar === undefined) {
      if (type === undefined) this.#unread.add(given ?? null)
      return this.#named(field, type ?? '', use)
    }
    Object.assign(field, scalar)
    this.#defaults.checkEnum(schema, use.spot)
    if (isNamedType(schema)) this.#used.add(getFullName(schema, use.namespace))
    addTypeTraits(field, schema, use.namespace)
  }

  #named(field: Field, name: string, use: Use): void {
    const definition = this.#types.find(name, use.namespace)
    if (definition === undefined) {
      use.spot.warning(
        `The type "${clip(name)}" is neither Avro’s own nor defined here; define it.`,
      )
      field.physicalType = name
    } else if (use.records.includes(definition.fullName)) {
      field.logicalType = 'object'
      field.physicalType = 'record'
      field.references = [catalogName(definition.schema) ?? lastName(definition.fullName)]
      addTypeName(field, definition.schema, definition.fullName)
    } else {
      const { schema: given, spot, namespace } = definition
      this.#typed(field, { ...use, given, spot, namespace })
    }
  }

  #object(field: Field, use: Use): void {
    field.logicalType = 'object'
    field.physicalType = 'record'
    const depth = use.depth + 1
    if (!isObject(use.given)) return
    const fullName = getFullName(use.given, use.namespace)
    this.#used.add(fullName)
    addTypeName(field, use.given, fullName)
    if (!this.#reaches(depth, use)) return
    const namespace = getNamespace(fullName)
    const fields = this.#fields({ ...use, namespace, depth, records: [...use.records, fullName] })
    if (fields.length > 0) field.fields = fields
  }

  #holder(field: Field, part: 'items' | 'values', use: Use): void {
    field.logicalType = part === 'items' ? 'array' : 'map'
    field.physicalType = field.logicalType
    const depth = use.depth + 1
    if (!this.#reaches(depth, use)) return
    const spot = use.spot.at(part)
    const held = this.#field(part, spot, { ...use, given: getField(use.given, part), spot, depth })
    put(field, part, held)
    if (part === 'values')
      field.keys = { ...plainField('keys', 'string', spot.origin), required: true }
  }

  #reaches(depth: number, { budget, spot }: Use): boolean {
    const isBranch = budget === this.#branchBudget
    return budget.reaches(depth, isBranch ? silently : (message) => spot.warning(message))
  }
}

// Some write an array's items beside its name, {name, type: "array", items}, instead of in a type of their own.
function typeIn(member: Value, spot: Spot): Pick<Use, 'given' | 'spot'> {
  const type = getField(member, 'type')
  const isBeside = ['array', 'map', 'record', 'enum', 'fixed'].includes(asText(type) ?? '')
  const logical = asText(getField(member, 'logicalType'))
  if (!isBeside && typeof type === 'string' && logical !== undefined) {
    const written = `{"type": "${clip(type)}", "logicalType": "${clip(logical)}"}`
    spot.warning(`Avro ignores a logical type beside the type. Write the type as ${written}.`)
  }
  return isBeside ? { given: member, spot } : { given: type, spot: spot.at('type') }
}

function getKinds(use: Use): { kinds: Use[]; isNullable: boolean } {
  const { given, spot } = use
  if (given === undefined) return { kinds: [], isNullable: false }
  const union: Use[] = Array.isArray(given)
    ? given.map((item, index) => ({ ...use, given: item, spot: spot.at(index) }))
    : [use]
  const kinds = union.filter(({ given }) => given !== 'null' && getField(given, 'type') !== 'null')
  return { kinds, isNullable: kinds.length < union.length }
}

const UNION_NAMES_MAX = 8

function describeUnion(branches: readonly Field[]): string {
  const names = branches.slice(0, UNION_NAMES_MAX).map(({ name }) => name)
  return `union(${[...names, ...(branches.length > names.length ? ['…'] : [])].join(', ')})`
}

function catalogName(schema: Value): string | undefined {
  return asText(getField(schema, NAME_PROPERTY))
}
