// Writing of Protocol Buffers, proto3. Each model is a message; an object in it is a message inside that message. What
// may be missing is `optional`.

import { Scope } from '../identifier.ts'
import { type Attribute, inside, Losses } from '../losses.ts'
import type { Field, Model, Written, Numbering } from '../model.ts'
import { NAME_MARK } from './read.ts'
import { findZeroName, reservedLines, toSymbols, writeEnumLines } from './enum-write.ts'
import { enumPath, NumberAssigner, wrapHolder } from './numbers.ts'
import {
  addTraitLosses,
  fieldNames,
  integerType,
  INTEGERS,
  writeOptions,
  keyType,
  getOneof,
  OWN_TYPES,
  findCommonPackage,
} from './write-field.ts'

/**
 * Writes models as a proto3 text. Names that Protobuf does not allow are changed and kept in a comment. `numbering` holds
 * the numbers of earlier versions; names that are missing in it get the next ones.
 */
export function writeProtobuf(models: readonly Model[], numbering?: Numbering): Written {
  const assigner = new NumberAssigner(numbering)
  assigner.add(models)
  const writer = new Writer(findCommonPackage(models), assigner.numbering)
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

/** A message that is being written: its path, the names in use, and its nested definitions. */
interface Message {
  scope: Scope
  indent: string
  definitions: string[]
  /** The model that all this is in: its name in the catalog, and in Protobuf. */
  model: { name: string; written: string }
}

/** The type of a field, and the facts that it represents. */
interface Type {
  name: string
  isMessage: boolean
  covered: readonly Attribute[]
}

class Writer {
  readonly losses = new Losses('Protobuf', { time: false, timestamp: true }, 'deprecated')
  readonly #package: string | undefined
  readonly #numbering: Numbering
  readonly #imports = new Set<string>()
  readonly #messages = new Scope(OWN_TYPES)

  constructor(packageName: string | undefined, numbering: Numbering) {
    this.#package = packageName
    this.#numbering = numbering
  }

  head(): string {
    const packageLine = this.#package === undefined ? '' : `package ${this.#package};\n\n`
    const imports = [...this.#imports].toSorted().map((path) => `import "${path}";\n`)
    return `syntax = "proto3";\n\n${packageLine}${imports.join('')}${imports.length === 0 ? '' : '\n'}`
  }

  model(model: Model): string {
    const { name, namespace, description, fields } = model
    this.losses.addModelLosses(model, { namespace: namespace === this.#package })
    if (namespace === undefined && this.#package !== undefined) {
      this.losses.add(name, `In Protobuf the namespace is that of all models, "${this.#package}".`)
    }
    const written = this.#messages.identifier(name)
    const comment = this.#comment({ name, written, description }, name, '')
    const body = this.#body(fields, name, '', { name, written })
    const option = model.deprecated === true ? '  option deprecated = true;\n' : ''
    return `${comment}message ${written} {\n${option}${body}}\n`
  }

  #body(fields: readonly Field[], path: string, indent: string, model: Message['model']): string {
    const written = fieldNames(fields)
    const message: Message = {
      scope: new Scope([...OWN_TYPES, ...written]),
      indent: `${indent}  `,
      definitions: [],
      model,
    }
    const numbers = this.#numbering.get(path) ?? new Map<string, number>()
    const lines = this.#declarations(fields, written, path, { message, numbers })
    const names = new Set(fields.map(({ name }) => name))
    const removed = [...numbers].filter(([name]) => !names.has(name))
    const reserved = reservedLines(removed, new Set(written))
    return [
      ...reserved.map((line) => `${message.indent}${line}\n`),
      ...message.definitions,
      ...lines,
    ].join('')
  }

  #declarations(
    fields: readonly Field[],
    written: readonly string[],
    path: string,
    { message, numbers }: { message: Message; numbers: ReadonlyMap<string, number> },
  ): string[] {
    const oneofs = new Map<string, string[]>()
    const lines = fields.map((field, at) => {
      const name = written[at] ?? ''
      const fieldPath = `${path}.${field.name}`
      const number = numbers.get(field.name) ?? at + 1
      const oneof = getOneof(field)
      const indent = oneof === undefined ? message.indent : `${message.indent}  `
      const comment = this.#comment({ ...field, written: name }, fieldPath, indent)
      const declared = this.#declared(field, name, fieldPath, message)
      const line = `${comment}${indent}${declared} = ${number}${writeOptions(field, name)};\n`
      if (oneof === undefined) return [line]
      // All fields of a oneof are written at the position of the first one.
      const members = oneofs.get(oneof) ?? []
      members.push(line)
      oneofs.set(oneof, members)
      return members.length === 1 ? [oneof, members] : []
    })
    return lines.flatMap(([first, members]) => {
      if (first === undefined || typeof first !== 'string') return []
      if (!Array.isArray(members)) return [first]
      const oneof = message.scope.identifier(first)
      return [`${message.indent}oneof ${oneof} {\n`, ...members, `${message.indent}}\n`]
    })
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
      return `map<${this.#key(field.keys, inside.keys(path))}, ${type}> ${name}`
    }
    const type = this.#type(field, path, name, message)
    if (type.isMessage && field.required) {
      this.losses.add(path, 'A message may always be missing in Protobuf.')
    }
    this.losses.addUncovered(field, path, new Set(['description', ...type.covered]))
    addTraitLosses(this.losses, field, path)
    const isAlways = field.required || type.isMessage || getOneof(field) !== undefined
    return `${isAlways ? '' : 'optional '}${type.name} ${name}`
  }

  #always(field: Field, path: string, what: string): void {
    if (!field.required)
      this.losses.add(path, `${what} is never missing in Protobuf, but may be empty.`)
    this.losses.addUncovered(field, path, new Set(['description']))
  }

  #key(keys: Field | undefined, path: string): string {
    if (keys === undefined) return 'string'
    const { logicalType } = keys
    const name = keyType(keys)
    if ((name === 'string' && logicalType !== 'string') || !keys.required) {
      this.losses.add(path, 'The keys of a map are written as texts.')
    }
    this.losses.addUncovered(keys, path, new Set(logicalType === 'integer' ? ['format'] : []))
    return name
  }

  // Lists and maps cannot contain lists and maps, so these get a message of their own.
  #held(held: Field, path: string, name: string, message: Message): string {
    const wrapped = wrapHolder(held)
    if (wrapped !== undefined) {
      this.losses.add(path, 'Protobuf needs a message between a list or map and what is in it.')
      return this.#nested([wrapped], path, name, message)
    }
    const type = this.#type(held, path, name, message)
    if (!held.required) {
      this.losses.add(path, 'What a list or map holds is never missing in Protobuf.')
    }
    this.losses.addUncovered(held, path, new Set(type.covered))
    addTraitLosses(this.losses, held, path)
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
        return this.#text(field, path, name, message)
      case 'integer':
        return {
          name: integerType(field),
          isMessage: false,
          covered: INTEGERS.has(format) ? ['format'] : [],
        }
      case 'number':
        return format === 'float' || format === 'double'
          ? { name: format, isMessage: false, covered: ['format'] }
          : this.#known('google.type.Decimal')
      case 'boolean':
        return { name: 'bool', isMessage: false, covered: [] }
      case 'binary':
        return { name: 'bytes', isMessage: false, covered: [] }
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
          `What the ${field.logicalType} has no known content, so its type is left open.`,
        )
        return this.#known('google.protobuf.Value')
      case 'vector':
      case 'unknown':
        return this.#known('google.protobuf.Value')
    }
  }

  #known(name: string, covered: readonly Attribute[] = []): Type {
    const path = IMPORTS.get(name)
    if (path !== undefined) this.#imports.add(path)
    // In the package `com.google.cloud` the name would be looked for in `com.google` first.
    const isHidden = this.#package?.split('.').includes('google') === true
    return { name: isHidden ? `.${name}` : name, isMessage: true, covered }
  }

  #object(field: Field, path: string, name: string, message: Message): Type {
    const { fields = [], references } = field
    if (fields.length > 0) {
      return { name: this.#nested(fields, path, name, message), isMessage: true, covered: [] }
    }
    if (references.length !== 1 || references[0] !== message.model.name) {
      return this.#known('google.protobuf.Struct')
    }
    const packageName = this.#package === undefined ? '' : `.${this.#package}`
    return {
      name: `${packageName}.${message.model.written}`,
      isMessage: true,
      covered: ['references'],
    }
  }

  // The values of an enumeration share the namespace of the surrounding message, so each name is used once.
  #text(field: Field, path: string, name: string, message: Message): Type {
    if (field.format === 'duration') return this.#known('google.protobuf.Duration', ['format'])
    const wanted = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const enumName = wanted === name ? `${name}Enum` : wanted
    const numbers = this.#numbering.get(enumPath(path)) ?? new Map<string, number>()
    const symbols = toSymbols(field.enum, enumName)
    const zero = symbols && findZeroName(symbols, numbers, enumName)
    const taken = [...(symbols ?? []), ...(zero?.removed === undefined ? [] : [zero.removed])]
    if (symbols === undefined || !message.scope.takeAll(taken)) {
      return { name: 'string', isMessage: false, covered: [] }
    }
    const written = message.scope.identifier(enumName)
    if (zero !== undefined) {
      this.losses.add(path, 'Protobuf needs a value 0, so the enum has one more value.')
    }
    const zeroName =
      zero && (zero.removed ?? message.scope.identifier(`${written.toUpperCase()}_UNSPECIFIED`))
    const lines = writeEnumLines(symbols, numbers, zeroName)
    const { indent } = message
    const body = lines.map((line) => `${indent}  ${line}\n`).join('')
    message.definitions.push(`${indent}enum ${written} {\n${body}${indent}}\n`)
    return { name: written, isMessage: false, covered: ['enum'] }
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
    const trimmed = description?.split('\n').map((line) => line.trim()) ?? []
    const text = trimmed.join('\n').trim()
    if (text !== (description ?? '') || text.split('\n').at(-1)?.startsWith(NAME_MARK)) {
      this.losses.add(path, 'A comment in Protobuf keeps no white space at the ends of lines.')
    }
    const lines = text === '' ? [] : text.split('\n')
    this.losses.addRename(path, name, written)
    if (written !== name) lines.push(`${NAME_MARK}${JSON.stringify(name)}`)
    return lines.map((line) => `${indent}//${line === '' ? '' : ` ${line}`}\n`).join('')
  }
}
