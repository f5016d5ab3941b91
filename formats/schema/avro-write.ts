// Writing of Avro. Each model is a record; a list of records when there are several models.

import type { Value } from '../value.ts'
import { lastName } from './avro-names.ts'
import { NAME_PROPERTY } from './avro.ts'
import { isIdentifier, Scope } from './identifier.ts'
import { type Attribute, inside, Losses } from './losses.ts'
import type { Field, Model, Written } from './model.ts'

/** Writes models as Avro. Names that Avro does not allow are changed and kept beside, under `portbook.name`. */
export function writeAvro(models: readonly Model[]): Written {
  const writer = new Writer()
  const records = models.map((model) => writer.model(model))
  const value = records.length === 1 ? (records[0] ?? []) : records
  return { text: `${JSON.stringify(value, null, 2)}\n`, losses: writer.losses.all }
}

const ALWAYS_SAID: readonly Attribute[] = ['description']

// Timestamps and times keep the unit that they have in Avro already; others are in microseconds.
const UNITS = new Set([
  'time-millis',
  'timestamp-millis',
  'timestamp-nanos',
  'local-timestamp-millis',
  'local-timestamp-micros',
  'local-timestamp-nanos',
])

// No record may have the name of one of Avro's own types.
const OWN_TYPES =
  'null boolean int long float double bytes string record error enum fixed array map union'.split(
    ' ',
  )

/** Around a type: the record it stands in, and where. */
interface Around {
  path: string
  /** The name of the type, if it needs one. */
  typeName: string
  namespace: string | undefined
  /** The model that all this is in: its name in the catalog and its full name in Avro. */
  model: { name: string; fullName: string }
}

class Writer {
  readonly losses = new Losses('Avro')
  // Full names, for all records and enumerations of the text.
  readonly #typeNames = new Scope()

  model(model: Model): Value {
    this.losses.unsaidOfModel(model, { namespace: true })
    const namespace = this.#namespace(model)
    const name = this.#typeName(model.name, namespace)
    const fullName = namespace === undefined ? name : `${namespace}.${name}`
    const whole = { name: model.name, fullName }
    return record({
      ...named(name, model.name, namespace),
      ...(model.description === undefined ? {} : { doc: model.description }),
      fields: this.#fields(model.fields, {
        path: model.name,
        typeName: name,
        namespace,
        model: whole,
      }),
    })
  }

  #namespace({ name, namespace }: Model): string | undefined {
    if (namespace === undefined || namespace.split('.').every(isIdentifier)) return namespace
    this.losses.add(name, `Avro does not allow the namespace “${namespace}”; it is left out.`)
    return undefined
  }

  #typeName(wanted: string, namespace: string | undefined): string {
    const identifier = new Scope(OWN_TYPES).identifier(wanted)
    const fullName = namespace === undefined ? identifier : `${namespace}.${identifier}`
    return lastName(this.#typeNames.unique(fullName))
  }

  #fields(fields: readonly Field[], around: Around): Value[] {
    const scope = new Scope(fields.map(({ name }) => name).filter(isIdentifier))
    return fields.map((field) => {
      const { name, description } = field
      const written = isIdentifier(name) ? name : scope.identifier(name)
      const path = `${around.path}.${name}`
      const typeName = `${around.typeName}_${written}`
      const type = this.#nullable(field, { ...around, path, typeName })
      return {
        ...named(written, name, undefined),
        ...(description === undefined ? {} : { doc: description }),
        type,
        ...(field.required ? {} : { default: null }),
      }
    })
  }

  #nullable(field: Field, around: Around): Value {
    const type = this.#type(field, around)
    return field.required ? type : ['null', type]
  }

  #type(field: Field, around: Around): Value {
    const { type, said } = this.#typeAndSaid(field, around)
    this.losses.unsaid(field, around.path, new Set([...ALWAYS_SAID, ...said]))
    return type
  }

  #typeAndSaid(field: Field, around: Around): { type: Value; said: readonly Attribute[] } {
    switch (field.logicalType) {
      case 'string':
        return this.#text(field, around)
      case 'integer':
        return field.format === 'int32'
          ? { type: 'int', said: ['format'] }
          : { type: 'long', said: [] }
      case 'number':
        return this.#number(field, around)
      case 'boolean':
        return { type: 'boolean', said: [] }
      case 'date':
        return { type: { type: 'int', logicalType: 'date' }, said: [] }
      case 'time':
      case 'timestamp':
        return { type: instant(field), said: [] }
      case 'binary':
        return this.#binary(field, around)
      case 'object':
        return this.#object(field, around)
      case 'array':
      case 'map':
        return { type: this.#holder(field, around), said: [] }
      case 'unknown':
        this.losses.add(around.path, 'Avro needs a type, and none is known; a text is written.')
        return { type: 'string', said: [] }
    }
  }

  #text(field: Field, around: Around): { type: Value; said: readonly Attribute[] } {
    const { format } = field
    const symbols = symbolsOf(field.enum)
    if (symbols !== undefined) {
      const name = this.#typeName(around.typeName, around.namespace)
      return { type: { type: 'enum', name, symbols }, said: ['enum'] }
    }
    if (format === 'uuid')
      return { type: { type: 'string', logicalType: 'uuid' }, said: ['format'] }
    if (format === 'duration' && field.physicalType === 'duration') {
      const name = this.#typeName(around.typeName, around.namespace)
      return { type: { type: 'fixed', name, size: 12, logicalType: 'duration' }, said: ['format'] }
    }
    return { type: 'string', said: [] }
  }

  #number(field: Field, around: Around): { type: Value; said: readonly Attribute[] } {
    const { format, precision = 0, scale } = field
    if (precision > 0 && (scale ?? 0) <= precision) {
      const digits = scale === undefined ? { precision } : { precision, scale }
      const type = { type: 'bytes', logicalType: 'decimal', ...digits }
      return { type, said: ['precision', 'scale'] }
    }
    if (format === 'float' || format === 'double') return { type: format, said: ['format'] }
    this.losses.add(around.path, 'Avro has no number of any size; a double is written.')
    return { type: 'double', said: [] }
  }

  #binary(field: Field, around: Around): { type: Value; said: readonly Attribute[] } {
    const { minLength, maxLength: size } = field
    if (size === undefined || size !== minLength) return { type: 'bytes', said: [] }
    const name = this.#typeName(around.typeName, around.namespace)
    return { type: { type: 'fixed', name, size }, said: ['minLength', 'maxLength'] }
  }

  #object(field: Field, around: Around): { type: Value; said: readonly Attribute[] } {
    const { fields: given = [], references } = field
    if (given.length === 0 && references.length === 1 && references[0] === around.model.name) {
      return { type: around.model.fullName, said: ['references'] }
    }
    const name = this.#typeName(around.typeName, around.namespace)
    const path = around.path
    const fields = this.#fields(given, { ...around, path, typeName: name })
    return { type: record({ name, fields }), said: [] }
  }

  #holder(field: Field, around: Around): Value {
    const [part, held, path] =
      field.logicalType === 'array'
        ? (['items', field.items, inside.items(around.path)] as const)
        : (['values', field.values, inside.values(around.path)] as const)
    if (held === undefined) {
      this.losses.add(
        path,
        `Avro needs a type for the ${part}, and none is told; a text is written.`,
      )
    }
    if (field.keys !== undefined) this.#keys(field.keys, inside.keys(around.path))
    const type =
      held === undefined
        ? 'string'
        : this.#nullable(held, { ...around, path, typeName: `${around.typeName}_${part}` })
    if (held?.description !== undefined) {
      this.losses.add(path, `Avro cannot say the description of the ${part}.`)
    }
    return { type: field.logicalType, [part]: type }
  }

  #keys(keys: Field, path: string): void {
    if (keys.logicalType !== 'string' || !keys.required) {
      this.losses.add(path, 'The keys of a map are texts in Avro.')
    }
    this.losses.unsaid(keys, path, new Set())
  }
}

function record(members: { [name: string]: Value }): Value {
  return { type: 'record', ...members }
}

function named(
  written: string,
  name: string,
  namespace: string | undefined,
): { [name: string]: Value } {
  return {
    name: written,
    ...(namespace === undefined ? {} : { namespace }),
    ...(written === name ? {} : { [NAME_PROPERTY]: name }),
  }
}

function instant({ logicalType, physicalType = '' }: Field): Value {
  const isTime = logicalType === 'time'
  const isKept = UNITS.has(physicalType) && physicalType.startsWith('time-') === isTime
  const unit = isKept ? physicalType : `${logicalType}-micros`
  return { type: unit === 'time-millis' ? 'int' : 'long', logicalType: unit }
}

// An enumeration's symbols are names of which each stands once; the field then says nothing else.
function symbolsOf(values: readonly Value[] | undefined): string[] | undefined {
  const symbols = (values ?? []).filter((value) => typeof value === 'string')
  const isAllowed = symbols.every(isIdentifier) && new Set(symbols).size === symbols.length
  return isAllowed && symbols.length > 0 && symbols.length === values?.length ? symbols : undefined
}
