// Writing of Protocol Buffers, proto3. Each model is a message; an object in it is a message inside that message. What
// may be missing is `optional`.

import type { Value } from '../value.ts'
import { isIdentifier, Scope } from './identifier.ts'
import { type Attribute, inside, Losses } from './losses.ts'
import type { Field, Model, Written } from './model.ts'
import { NAME_MARK } from './protobuf.ts'

/** Writes models as a proto3 text. Names that Protobuf does not allow are changed and kept in a comment. */
export function writeProtobuf(models: readonly Model[]): Written {
  const writer = new Writer(packageOf(models))
  const messages = models.map((model) => writer.model(model)).join('\n')
  return { text: `${writer.head()}${messages}`, losses: writer.losses.all }
}

const IMPORTS: ReadonlyMap<string, string> = new Map([
  ['google.protobuf.Timestamp', 'google/protobuf/timestamp.proto'],
  ['google.protobuf.Duration', 'google/protobuf/duration.proto'],
  ['google.protobuf.Struct', 'google/protobuf/struct.proto'],
  ['google.protobuf.Value', 'google/protobuf/struct.proto'],
  ['google.type.Date', 'google/type/date.proto'],
  ['google.type.TimeOfDay', 'google/type/timeofday.proto'],
  ['google.type.Decimal', 'google/type/decimal.proto'],
])

const OWN_TYPES =
  'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes google'.split(
    ' ',
  )

const INTEGERS: ReadonlyMap<string, string> = new Map([
  ['int32', 'int32'],
  ['uint32', 'uint32'],
  ['uint64', 'uint64'],
])

// These numbers belong to the implementation of Protobuf.
const RESERVED_FROM = 19_000
const RESERVED_TO = 19_999

/** A message that is being written: where it stands, which names are taken in it, and what is defined inside it. */
interface Message {
  scope: Scope
  indent: string
  definitions: string[]
  /** The model that all this is in: its name in the catalog, and in Protobuf. */
  model: { name: string; written: string }
}

/** A field's type, and what it says of the field besides. */
interface Type {
  name: string
  isMessage: boolean
  said: readonly Attribute[]
}

class Writer {
  readonly losses = new Losses('Protobuf')
  readonly #package: string | undefined
  readonly #imports = new Set<string>()
  readonly #messages = new Scope(OWN_TYPES)

  constructor(packageName: string | undefined) {
    this.#package = packageName
  }

  head(): string {
    const packageLine = this.#package === undefined ? '' : `package ${this.#package};\n\n`
    const imports = [...this.#imports].toSorted().map((path) => `import "${path}";\n`)
    return `syntax = "proto3";\n\n${packageLine}${imports.join('')}${imports.length === 0 ? '' : '\n'}`
  }

  model(model: Model): string {
    const { name, namespace, description, fields } = model
    this.losses.unsaidOfModel(model, { namespace: namespace === this.#package })
    if (namespace === undefined && this.#package !== undefined) {
      this.losses.add(name, `In Protobuf the namespace is that of all models, “${this.#package}”.`)
    }
    const written = this.#messages.identifier(name)
    const comment = this.#comment({ name, written, description }, name, '')
    const body = this.#body(fields, name, '', { name, written })
    return `${comment}message ${written} {\n${body}}\n`
  }

  #body(fields: readonly Field[], path: string, indent: string, model: Message['model']): string {
    const written = fieldNames(fields)
    const message: Message = {
      scope: new Scope([...OWN_TYPES, ...written]),
      indent: `${indent}  `,
      definitions: [],
      model,
    }
    const lines = fields.map((field, at) => {
      const name = written[at] ?? ''
      const fieldPath = `${path}.${field.name}`
      const comment = this.#comment({ ...field, written: name }, fieldPath, message.indent)
      return `${comment}${message.indent}${this.#declared(field, name, fieldPath, message)} = ${numberAt(at)};\n`
    })
    return [...message.definitions, ...lines].join('')
  }

  #declared(field: Field, name: string, path: string, message: Message): string {
    const { logicalType } = field
    if (logicalType === 'array' && field.items !== undefined) {
      const type = this.#held(field.items, inside.items(path), name, message)
      this.#always(field, path, 'A list')
      return `repeated ${type} ${name}`
    }
    if (logicalType === 'map' && field.values !== undefined) {
      const type = this.#held(field.values, inside.values(path), name, message)
      this.#always(field, path, 'A map')
      if (field.keys !== undefined) this.#keys(field.keys, inside.keys(path))
      return `map<string, ${type}> ${name}`
    }
    const type = this.#type(field, path, name, message)
    if (type.isMessage && field.required) {
      this.losses.add(path, 'A message may always be missing in Protobuf.')
    }
    this.losses.unsaid(field, path, new Set(['description', ...type.said]))
    return `${field.required || type.isMessage ? '' : 'optional '}${type.name} ${name}`
  }

  #always(field: Field, path: string, what: string): void {
    if (!field.required)
      this.losses.add(path, `${what} is never missing in Protobuf, but may be empty.`)
    this.losses.unsaid(field, path, new Set(['description']))
  }

  #keys(keys: Field, path: string): void {
    if (keys.logicalType !== 'string' || !keys.required) {
      this.losses.add(path, 'The keys of a map are written as texts.')
    }
    this.losses.unsaid(keys, path, new Set())
  }

  // Lists and maps hold no lists and maps, so these stand in a message of their own.
  #held(held: Field, path: string, name: string, message: Message): string {
    const isHolder =
      (held.logicalType === 'array' && held.items) || (held.logicalType === 'map' && held.values)
    if (isHolder !== undefined && isHolder !== false) {
      this.losses.add(path, 'Protobuf needs a message between a list or map and what is in it.')
      const inner = { ...held, name: held.logicalType === 'array' ? 'items' : 'entries' }
      return this.#nested([inner], path, name, message)
    }
    const type = this.#type(held, path, name, message)
    if (!held.required) {
      this.losses.add(path, 'What a list or map holds is never missing in Protobuf.')
    }
    this.losses.unsaid(held, path, new Set(type.said))
    return type.name
  }

  #nested(fields: readonly Field[], path: string, name: string, message: Message): string {
    const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const written = message.scope.identifier(wanted === name ? `${name}Message` : wanted)
    const body = this.#body(fields, path, message.indent, message.model)
    message.definitions.push(`${message.indent}message ${written} {\n${body}${message.indent}}\n`)
    return written
  }

  #type(field: Field, path: string, name: string, message: Message): Type {
    const { format = '' } = field
    switch (field.logicalType) {
      case 'string':
        return this.#text(field, name, message)
      case 'integer':
        return {
          name: INTEGERS.get(format) ?? 'int64',
          isMessage: false,
          said: INTEGERS.has(format) ? ['format'] : [],
        }
      case 'number':
        return format === 'float' || format === 'double'
          ? { name: format, isMessage: false, said: ['format'] }
          : this.#known('google.type.Decimal')
      case 'boolean':
        return { name: 'bool', isMessage: false, said: [] }
      case 'binary':
        return { name: 'bytes', isMessage: false, said: [] }
      case 'date':
        return this.#known('google.type.Date')
      case 'time':
        return this.#known('google.type.TimeOfDay')
      case 'timestamp':
        return this.#known('google.protobuf.Timestamp')
      case 'object':
        return this.#object(field, path, name, message)
      case 'array':
      case 'map':
        this.losses.add(
          path,
          `What the ${field.logicalType} holds is not told, so its type is left open.`,
        )
        return this.#known('google.protobuf.Value')
      case 'unknown':
        return this.#known('google.protobuf.Value')
    }
  }

  #known(name: string, said: readonly Attribute[] = []): Type {
    const path = IMPORTS.get(name)
    if (path !== undefined) this.#imports.add(path)
    return { name, isMessage: true, said }
  }

  #object(field: Field, path: string, name: string, message: Message): Type {
    const { fields = [], references } = field
    if (fields.length > 0) {
      return { name: this.#nested(fields, path, name, message), isMessage: true, said: [] }
    }
    if (references.length !== 1 || references[0] !== message.model.name) {
      return this.#known('google.protobuf.Struct')
    }
    const packageName = this.#package === undefined ? '' : `.${this.#package}`
    return {
      name: `${packageName}.${message.model.written}`,
      isMessage: true,
      said: ['references'],
    }
  }

  // The values of an enumeration are names of the message around it, so each can stand there only once.
  #text(field: Field, name: string, message: Message): Type {
    if (field.format === 'duration') return this.#known('google.protobuf.Duration', ['format'])
    const symbols = symbolsOf(field.enum, message.scope)
    if (symbols === undefined) return { name: 'string', isMessage: false, said: [] }
    const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const written = message.scope.identifier(wanted === name ? `${name}Enum` : wanted)
    const { indent } = message
    const lines = symbols.map((symbol, at) => `${indent}  ${symbol} = ${at};\n`)
    message.definitions.push(`${indent}enum ${written} {\n${lines.join('')}${indent}}\n`)
    return { name: written, isMessage: false, said: ['enum'] }
  }

  #comment(
    {
      name,
      written,
      description,
    }: { name: string; written: string; description?: string | undefined },
    path: string,
    indent: string,
  ): string {
    const told = description?.split('\n').map((line) => line.trim()) ?? []
    const text = told.join('\n').trim()
    if (text !== (description ?? '') || text.split('\n').at(-1)?.startsWith(NAME_MARK)) {
      this.losses.add(path, 'A comment in Protobuf keeps no white space at the ends of lines.')
    }
    const lines = text === '' ? [] : text.split('\n')
    if (written !== name) lines.push(`${NAME_MARK}${JSON.stringify(name)}`)
    return lines.map((line) => `${indent}//${line === '' ? '' : ` ${line}`}\n`).join('')
  }
}

// In JSON a name loses its `_`, `a_b` becomes `aB`, and there too no two names of a message may be the same.
function fieldNames(fields: readonly Field[]): string[] {
  const jsonNames = new Set<string>()
  const scope = new Scope(fields.map(({ name }) => name).filter(isIdentifier))
  const isNew = (name: string): boolean => {
    const json = name.replaceAll('_', '').toLowerCase()
    return jsonNames.size < jsonNames.add(json).size
  }
  const kept = fields.map(({ name }) => (isIdentifier(name) && isNew(name) ? name : undefined))
  return fields.map(({ name }, at) => {
    let written = kept[at] ?? scope.identifier(name)
    while (kept[at] === undefined && !isNew(written)) written = scope.identifier(name)
    return written
  })
}

function numberAt(index: number): number {
  return index + 1 < RESERVED_FROM ? index + 1 : index + 2 + RESERVED_TO - RESERVED_FROM
}

function symbolsOf(values: readonly Value[] | undefined, scope: Scope): string[] | undefined {
  const symbols = (values ?? []).filter((value) => typeof value === 'string')
  if (symbols.length === 0 || symbols.length !== values?.length) return undefined
  return symbols.every(isIdentifier) && scope.takeAll(symbols) ? symbols : undefined
}

// A text has one package: the namespace of the first model that has one which Protobuf allows.
function packageOf(models: readonly Model[]): string | undefined {
  return models
    .map(({ namespace }) => namespace)
    .find((namespace) => namespace !== undefined && namespace.split('.').every(isIdentifier))
}
