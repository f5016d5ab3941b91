// Protocol Buffers, proto2, proto3 and editions. A message is a model unless another one is made of it. A field is
// required when its consumer always finds a value: the `required` of proto2, and in proto3 every value and list that
// neither is `optional` nor a message. Imports are never followed. What readers of the data depend on beside names and
// types, such as numbers, are traits.

import protobuf from 'protobufjs'
import { clip, put } from '../../text/value.ts'
import { FieldBudget, REFERRED_FIELDS } from '../field-budget.ts'
import type { Field, Model, Traits } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { type Features, FeatureResolver } from './features.ts'
import {
  extensionFields,
  listMessages,
  localName,
  type Message,
  modelMessages,
  TypeNames,
} from './names.ts'
import { parseProtobuf } from './parse.ts'
import { findEdition } from './tokens.ts'
import {
  readKeyTraits,
  readMessageTraits,
  readPlaceTraits,
  readValueTraits,
  type TraitRecord,
} from './traits.ts'
import type { Specification } from '../specification.ts'
import { TABLE } from '../types/protobuf.ts'
import type { TypeRow } from '../types/type-table.ts'
import { typedField } from '../types/typed-field.ts'

/** Before the name, in the last line of a comment, when Protobuf does not allow it: `portbook.name: "Order Total"`. */
export const NAME_MARK = 'portbook.name: '

const EXTENSIONS_SHOWN_MAX = 100

const ROWS: ReadonlyMap<string, TypeRow> = new Map(
  TABLE.rows.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name, row])),
)

/**
 * Reads the text of a .proto file. When it cannot be parsed, a warning names the line, and there are no models. Fields
 * that are messages hold the fields of those.
 */
export function readProtobuf(specification: Specification): Model[] {
  return read(specification, (reader) => reader.models())
}

/**
 * Reads each message of a .proto text as a model of its own, under its full name. Fields that are messages name them,
 * so that each message appears once however often it is used.
 */
export function readEveryMessage(specification: Specification): Model[] {
  return read(specification, (reader) => reader.everyMessage())
}

function read(specification: Specification, readModels: (reader: Reader) => Model[]): Model[] {
  const { text } = specification
  if (text === undefined) {
    specification.warning([], 'Protobuf must be a text, the content of a .proto file.')
    return []
  }
  const result = parseProtobuf(text)
  if (result.ok) return readModels(new Reader(specification, text, result.parsed))
  specification.warningAt(result.offset, result.message)
  return []
}

interface Inside {
  depth: number
  messages: readonly Message[]
}

class Reader {
  readonly #specification: Specification
  readonly #text: string
  readonly #root: protobuf.Root
  readonly #package: string
  readonly #origin: string
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #unknown = new Set<string>()
  readonly #names: TypeNames
  readonly #features: FeatureResolver
  // The fields that `extend` adds to messages of this text.
  readonly #extensions = new Map<Message, protobuf.Field[]>()
  // Whether fields that are messages hold their fields.
  #isNested = true

  constructor(specification: Specification, text: string, parsed: protobuf.IParserResult) {
    this.#specification = specification
    this.#text = text
    this.#root = parsed.root
    this.#package = parsed.package ?? ''
    this.#origin = specification.origin([])
    this.#names = new TypeNames(parsed.root)
    this.#features = new FeatureResolver(findEdition(text))
  }

  models(): Model[] {
    const messages = this.#messages()
    this.#readExtensions(true)
    return modelMessages(messages, (message) => this.#usedBy(message)).map((message) =>
      this.#model(message),
    )
  }

  everyMessage(): Model[] {
    this.#isNested = false
    const messages = this.#messages()
    this.#readExtensions(false)
    return messages.map((message) => this.#model(message))
  }

  #messages(): Message[] {
    const messages = listMessages(this.#root)
    if (messages.length === 0) {
      this.#specification.warningAt(0, 'No message is defined here; write "message Order { … }".')
    }
    return messages
  }

  #usedBy(message: Message): Set<Message> {
    const types = this.#getFields(message).map((field) => this.#names.getType(field))
    return new Set(types.filter((type) => type instanceof protobuf.Type))
  }

  #getFields(message: Message): readonly protobuf.Field[] {
    const extensions = this.#extensions.get(message)
    return extensions === undefined ? message.fieldsArray : [...message.fieldsArray, ...extensions]
  }

  #readExtensions(isWarned: boolean): void {
    const foreign = new Set<string>()
    for (const field of extensionFields(this.#root).toSorted((one, other) => one.id - other.id)) {
      const message = this.#names.resolve(field.extend ?? '', field.parent)
      const fields = message instanceof protobuf.Type ? this.#extensions.get(message) : undefined
      if (fields !== undefined) fields.push(field)
      else if (message instanceof protobuf.Type) this.#extensions.set(message, [field])
      else foreign.add(field.extend ?? '')
    }
    if (isWarned) this.#warnOfForeign(foreign)
  }

  #warnOfForeign(extended: ReadonlySet<string>): void {
    for (const name of [...extended].slice(0, EXTENSIONS_SHOWN_MAX)) {
      // Extensions of these declare options.
      if (/^\.?google\.protobuf\.\w+Options$/.test(name)) continue
      const offset = Math.max(0, this.#text.search(/\bextend\b/))
      const at = this.#text.indexOf(`extend ${name}`, offset)
      this.#specification.warningAt(
        at === -1 ? offset : at,
        `The fields of "extend ${clip(name)}" are left out, because this text does not define that message.`,
      )
    }
  }

  #model(message: Message): Model {
    const { name, description } = describe(message)
    const isOuter = this.#isNested && !(message.parent instanceof protobuf.Type)
    const model = plainModel(isOuter ? name : this.#localName(message), this.#origin)
    put(model, 'description', description)
    if (message.getOption('deprecated') === true) model.deprecated = true
    if (this.#package !== '') model.namespace = this.#package
    model.fields = this.#fields(message, { depth: 1, messages: [message] })
    putTraits(model, readMessageTraits(message, this.#features.resolve(message)))
    return model
  }

  #localName(declaration: protobuf.ReflectionObject): string {
    return localName(declaration, this.#package)
  }

  #fields(message: Message, inside: Inside): Field[] {
    const fields: Field[] = []
    for (const field of this.#getFields(message)) {
      const warn = (text: string): void => this.#specification.warningAt(0, text)
      if (this.#isNested && !this.#budget.take(warn)) break
      fields.push(this.#field(field, inside))
    }
    return fields
  }

  #field(given: protobuf.Field, inside: Inside): Field {
    const { name, description } = describe(given)
    const isHolder = given.repeated || given instanceof protobuf.MapField
    const value = this.#value(given, isHolder ? { ...inside, depth: inside.depth + 1 } : inside)
    const field = isHolder ? this.#holder(given, value) : value
    // The JSON form of Protobuf names extensions so.
    field.name = given.extend === undefined ? name : `[${given.fullName.replace(/^\./, '')}]`
    put(field, 'description', description)
    if (given.getOption('deprecated') === true) field.deprecated = true
    putTraits(field, readPlaceTraits(given))
    return field
  }

  #holder(given: protobuf.Field, value: Field): Field {
    value.required = true
    const isMap = given instanceof protobuf.MapField
    const field = plainField('', isMap ? 'map' : 'array', this.#origin)
    field.required = true
    const { physicalType = given.type } = value
    field.physicalType = isMap
      ? `map<${given.keyType}, ${physicalType}>`
      : `repeated ${physicalType}`
    if (!isMap) return { ...field, items: { ...value, name: 'items' } }
    const keys = plainField('keys', 'string', this.#origin)
    Object.assign(keys, getScalar(given.keyType))
    put(keys, 'physicalType', given.keyType)
    putTraits(keys, readKeyTraits(given.keyType))
    return { ...field, keys: { ...keys, required: true }, values: { ...value, name: 'values' } }
  }

  #value(given: protobuf.Field, inside: Inside): Field {
    const field = plainField('', 'unknown', this.#origin)
    const type = getScalar(given.type) === undefined ? this.#names.getType(given) : undefined
    field.physicalType = type === undefined ? given.type.replace(/^\./, '') : this.#localName(type)
    const features = this.#features.resolve(given)
    const typeFeatures = type && this.#features.resolve(type)
    field.required = isRequired(given, type, features)
    putTraits(field, readValueTraits(given, type, { ownFeatures: features, typeFeatures }))
    if (type instanceof protobuf.Enum) {
      field.logicalType = 'string'
      field.enum = Object.keys(type.values)
    } else if (type !== undefined) {
      this.#object(field, type, inside)
    } else {
      const scalar = getScalar(given.type)
      if (scalar === undefined) this.#warnOfUnknown(given.type)
      else Object.assign(field, scalar)
    }
    return field
  }

  #object(field: Field, message: Message, { depth, messages }: Inside): void {
    field.logicalType = 'object'
    if (!this.#isNested) return
    putTraits(field, readMessageTraits(message, this.#features.resolve(message)))
    if (messages.includes(message)) {
      field.references = [describe(message).name]
      return
    }
    const isReached = this.#budget.reaches(depth + 1, (text) =>
      this.#specification.warningAt(0, text),
    )
    if (!isReached) return
    const fields = this.#fields(message, { depth: depth + 1, messages: [...messages, message] })
    if (fields.length > 0) field.fields = fields
  }

  #warnOfUnknown(type: string): void {
    if (this.#unknown.size === this.#unknown.add(type).size || this.#unknown.size > 100) return
    const offset = Math.max(0, this.#text.indexOf(`${type} `))
    this.#specification.warningAt(
      offset,
      `The type "${clip(type)}" is not defined here, and imports are not followed; define it here.`,
    )
  }
}

// A field and its value may both have options that are not analyzed; those of the value come from its type.
function putTraits(target: { traits?: Traits }, traits: TraitRecord): void {
  if (Object.keys(traits).length === 0) return
  const { unanalyzed } = traits
  const { traits: before = {} } = target
  const merged = { ...before, ...traits }
  if (unanalyzed !== undefined && before['unanalyzed'] !== undefined) {
    merged['unanalyzed'] = [before['unanalyzed'], unanalyzed]
  }
  target.traits = merged
}

// The value of a field that is a message may always be missing, and one of a oneof too.
function isRequired(
  given: protobuf.Field,
  type: Message | protobuf.Enum | undefined,
  features: Features,
): boolean {
  if (given.rule === 'required' || features.field_presence === 'LEGACY_REQUIRED') return true
  const isMessage =
    type instanceof protobuf.Type || (type === undefined && given.type.includes('.'))
  const isAlone = given.partOf === null || given.partOf === undefined
  return (
    features.field_presence === 'IMPLICIT' && isAlone && !isMessage && given.extend === undefined
  )
}

function getScalar(type: string) {
  const row = ROWS.get(type.replace(/^\./, ''))
  return row === undefined ? undefined : typedField({ ...row, text: type })
}

// The description is the comment, without the line in which an export has kept another name.
function describe({ name, comment }: Message | protobuf.Field): {
  name: string
  description?: string
} {
  // Groups and extension fields have none, contrary to the library's types.
  if (!comment) return { name }
  const lines = comment.split('\n')
  const last = lines.at(-1) ?? ''
  const kept = last.startsWith(NAME_MARK) ? quotedName(last.slice(NAME_MARK.length)) : undefined
  const description = (kept === undefined ? lines : lines.slice(0, -1)).join('\n')
  return { name: kept ?? name, ...(description === '' ? {} : { description }) }
}

function quotedName(text: string): string | undefined {
  try {
    const name: unknown = JSON.parse(text)
    return typeof name === 'string' ? name : undefined
  } catch {
    return undefined
  }
}
