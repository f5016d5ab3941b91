// Writing of Avro. Each model is a record; a list of records when there are several models.

import { isObject, type ObjectValue, type Value } from '../../text/value.ts'
import { fitsType } from './default.ts'
import { lastName, getNamespace } from './names.ts'
import { AVRO, readAliases, readTypeName } from './traits.ts'
import { branchKey, fixedSize, instant, nameMembers, record, listSymbols } from './write-parts.ts'
import { isIdentifier, Scope } from '../identifier.ts'
import { type Attribute, inside, Losses } from '../losses.ts'
import type { Field, Model, Written } from '../model.ts'

/** Writes models as Avro. Names that Avro does not allow are changed and kept beside, under `portbook.name`. */
export function writeAvro(models: readonly Model[]): Written {
  const writer = new Writer()
  const records = models.map((model) => writer.model(model))
  const value = records.length === 1 ? (records[0] ?? []) : records
  return { text: `${JSON.stringify(value, null, 2)}\n`, losses: writer.losses.all }
}

const ALWAYS_COVERED: readonly Attribute[] = ['description']

// No record may have the name of one of Avro's own types.
const OWN_TYPES =
  'null boolean int long float double bytes string record error enum fixed array map union'.split(
    ' ',
  )

/** The surroundings of a type: its record and its path. */
interface Around {
  path: string
  /** The name of the type, if it needs one. */
  typeName: string
  namespace: string | undefined
  /** The model that all this is in: its name in the catalog and its full name in Avro. */
  model: { name: string; fullName: string }
}

class Writer {
  readonly losses = new Losses('Avro', { time: false })
  // Full names, for all records and enumerations of the text.
  readonly #typeNames = new Scope()
  /** Types that have their names from Avro; a name is used for one type only. */
  readonly #defined = new Set<string>()
  readonly #definedInFields = new Set<string>()

  model(model: Model): Value {
    this.losses.addModelLosses(model, { namespace: true })
    const namespace = this.#namespace(model)
    const wanted = namespace === undefined ? model.name : `${namespace}.${model.name}`
    if (this.#definedInFields.has(wanted)) return wanted
    const name = this.#typeName(model.name, namespace)
    const fullName = namespace === undefined ? name : `${namespace}.${name}`
    this.losses.addRename(model.name, model.name, name)
    if (name === model.name) this.#defined.add(fullName)
    const whole = { name: model.name, fullName }
    return record({
      ...nameMembers(name, model.name, namespace),
      ...this.#aliases(model.traits?.[AVRO.aliases], model.name),
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
    this.losses.add(name, `Avro does not allow the namespace "${namespace}"; it is left out.`)
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
      this.losses.addRename(path, name, written)
      const typeName = `${around.typeName}_${written}`
      const type = this.#nullable(field, { ...around, path, typeName })
      return {
        ...nameMembers(written, name, undefined),
        ...(description === undefined ? {} : { doc: description }),
        ...this.#aliases(field.traits?.[AVRO.aliases], path),
        type,
        ...this.#default(field, type, path),
      }
    })
  }

  #default(field: Field, type: Value, path: string): ObjectValue {
    const given = field.traits?.[AVRO.default]
    if (given !== undefined && fitsType(type, given)) return { default: given }
    if (given !== undefined) this.losses.add(path, 'The default does not fit the type in Avro.')
    return !field.required && fitsType(type, null) ? { default: null } : {}
  }

  #aliases(trait: Value | undefined, path: string): ObjectValue {
    const aliases = readAliases({ aliases: trait ?? [] })
    const allowed = aliases.filter((alias) => alias.split('.').every(isIdentifier))
    if (allowed.length < aliases.length) this.losses.add(path, 'Avro does not allow all aliases.')
    return allowed.length === 0 ? {} : { aliases: allowed }
  }

  // The default of a union fits its first branch.
  #nullable(field: Field, around: Around): Value {
    if (field.traits?.[AVRO.onlyNull] === true) return 'null'
    const type = this.#type(field, around)
    if (field.required) return type
    const branches = Array.isArray(type) ? type : [type]
    const isNullFirst = (field.traits?.[AVRO.default] ?? null) === null
    return isNullFirst ? ['null', ...branches] : [...branches, 'null']
  }

  #type(field: Field, around: Around): Value {
    const { type, covered } = this.#typeWithCoverage(field, around)
    this.losses.addUncovered(field, around.path, new Set([...ALWAYS_COVERED, ...covered]))
    const logicalType = field.traits?.[AVRO.logicalType]
    if (logicalType === undefined || Array.isArray(type)) return type
    return isObject(type) ? { ...type, logicalType } : { type, logicalType }
  }

  // A type with a name of its own in Avro keeps it, and is defined once.
  #nameMembers(
    field: Field,
    around: Around,
    define: (name: string, around: Around) => ObjectValue,
  ): Value {
    const given = readTypeName(field.traits?.[AVRO.type])
    if (given !== undefined && this.#defined.has(given.name)) return given.name
    const isKept =
      given?.name.split('.').every(isIdentifier) === true &&
      !OWN_TYPES.includes(given.name) &&
      this.#typeNames.takeAll([given.name])
    if (!isKept) {
      if (given !== undefined) this.losses.add(around.path, 'Avro does not allow the type name.')
      const name = this.#typeName(around.typeName, around.namespace)
      return { name, ...define(name, around) }
    }
    this.#defined.add(given.name)
    this.#definedInFields.add(given.name)
    const [name, namespace] = [lastName(given.name), getNamespace(given.name)]
    const type = define(name, { ...around, namespace })
    return {
      ...nameMembers(name, name, namespace === around.namespace ? undefined : (namespace ?? '')),
      ...this.#aliases([...given.aliases], around.path),
      ...type,
    }
  }

  // A union has one type of each name.
  #union(branches: readonly Field[], around: Around): Value {
    const types = new Map<string, Value>()
    for (const [index, branch] of branches.entries()) {
      const path = `${around.path}<${branch.name}>`
      const typeName = `${around.typeName}_${index + 1}`
      const type = this.#type(branch, { ...around, path, typeName })
      const key = branchKey(type)
      if (types.has(key)) this.losses.add(path, 'Avro allows a type only once in a union.')
      else types.set(key, type)
    }
    return [...types.values()]
  }

  #typeWithCoverage(field: Field, around: Around): { type: Value; covered: readonly Attribute[] } {
    switch (field.logicalType) {
      case 'string':
        return this.#text(field, around)
      case 'integer':
        return field.format === 'int32'
          ? { type: 'int', covered: ['format'] }
          : { type: 'long', covered: [] }
      case 'number':
        return this.#number(field, around)
      case 'boolean':
        return { type: 'boolean', covered: [] }
      case 'date':
        return { type: { type: 'int', logicalType: 'date' }, covered: [] }
      case 'time':
      case 'timestamp':
        return { type: instant(field), covered: [] }
      case 'binary':
        return this.#binary(field, around)
      case 'object':
        return this.#object(field, around)
      case 'array':
      case 'map':
        return { type: this.#holder(field, around), covered: [] }
      case 'vector':
        return { type: { type: 'array', items: 'float' }, covered: [] }
      case 'unknown':
        if (field.branches !== undefined && field.branches.length > 0) {
          return { type: this.#union(field.branches, around), covered: ['branches'] }
        }
        this.losses.add(around.path, 'Avro needs a type, and none is known; a text is written.')
        return { type: 'string', covered: [] }
    }
  }

  #text(field: Field, around: Around): { type: Value; covered: readonly Attribute[] } {
    const { format } = field
    const symbols = listSymbols(field.enum)
    if (symbols !== undefined) {
      const fallback = field.traits?.[AVRO.symbolDefault]
      const isKept = typeof fallback === 'string' && symbols.includes(fallback)
      const definition = isKept ? { symbols, default: fallback } : { symbols }
      const type = this.#nameMembers(field, around, () => ({ type: 'enum', ...definition }))
      return { type, covered: ['enum'] }
    }
    const fixed = fixedSize(field)
    if (format === 'uuid') {
      const logicalType = 'uuid'
      const type =
        fixed === undefined
          ? { type: 'string', logicalType }
          : this.#nameMembers(field, around, () => ({ type: 'fixed', size: fixed, logicalType }))
      return { type, covered: ['format'] }
    }
    if (format === 'duration' && field.physicalType === 'duration') {
      const duration = { type: 'fixed', size: 12, logicalType: 'duration' }
      return { type: this.#nameMembers(field, around, () => duration), covered: ['format'] }
    }
    return { type: 'string', covered: [] }
  }

  #number(field: Field, around: Around): { type: Value; covered: readonly Attribute[] } {
    const { format, precision = 0, scale } = field
    if (precision > 0 && (scale ?? 0) <= precision) {
      const digits = scale === undefined ? { precision } : { precision, scale }
      const decimal = { logicalType: 'decimal', ...digits }
      const size = fixedSize(field)
      const type =
        size === undefined
          ? { type: 'bytes', ...decimal }
          : this.#nameMembers(field, around, () => ({ type: 'fixed', size, ...decimal }))
      return { type, covered: ['precision', 'scale'] }
    }
    if (format === 'float' || format === 'double') return { type: format, covered: ['format'] }
    this.losses.add(around.path, 'Avro has no number of any size; a double is written.')
    return { type: 'double', covered: [] }
  }

  #binary(field: Field, around: Around): { type: Value; covered: readonly Attribute[] } {
    const { minLength, maxLength: size } = field
    if (size === undefined || size !== minLength) return { type: 'bytes', covered: [] }
    const type = this.#nameMembers(field, around, () => ({ type: 'fixed', size }))
    return { type, covered: ['minLength', 'maxLength'] }
  }

  #object(field: Field, around: Around): { type: Value; covered: readonly Attribute[] } {
    const { fields: given = [], references } = field
    const isReference = given.length === 0 && references.length === 1
    const known = readTypeName(field.traits?.[AVRO.type])?.name ?? ''
    if (isReference && this.#defined.has(known)) return { type: known, covered: ['references'] }
    if (isReference && references[0] === around.model.name) {
      return { type: around.model.fullName, covered: ['references'] }
    }
    const type = this.#nameMembers(field, around, (typeName, inner) =>
      record({ fields: this.#fields(given, { ...inner, typeName }) }),
    )
    return { type, covered: [] }
  }

  #holder(field: Field, around: Around): Value {
    const [part, held, path] =
      field.logicalType === 'array'
        ? (['items', field.items, inside.items(around.path)] as const)
        : (['values', field.values, inside.values(around.path)] as const)
    if (held === undefined) {
      this.losses.add(
        path,
        `Avro needs a type for the ${part}, and none is given; a text is written.`,
      )
    }
    if (field.keys !== undefined) this.#keys(field.keys, inside.keys(around.path))
    const type =
      held === undefined
        ? 'string'
        : this.#nullable(held, { ...around, path, typeName: `${around.typeName}_${part}` })
    if (held?.description !== undefined) {
      this.losses.add(path, `Avro cannot express the description of the ${part}.`)
    }
    return { type: field.logicalType, [part]: type }
  }

  #keys(keys: Field, path: string): void {
    if (keys.logicalType !== 'string' || !keys.required) {
      this.losses.add(path, 'The keys of a map are texts in Avro.')
    }
    this.losses.addUncovered(keys, path, new Set())
  }
}
