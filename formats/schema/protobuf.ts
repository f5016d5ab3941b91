// Protocol Buffers, proto2, proto3 and editions. A message is a model unless another one is made of it. A field is
// required when its consumer always finds a value: the `required` of proto2, and in proto3 every value and list that
// neither is `optional` nor a message. Imports are never followed.

import protobuf from 'protobufjs'
import { clip, put } from '../value.ts'
import { FieldBudget, REFERRED_FIELDS } from './field-budget.ts'
import type { Field, Model } from './model.ts'
import { plainField, plainModel } from './plain.ts'
import {
  extensionFields,
  type Message,
  modelMessages,
  outerMessages,
  TypeNames,
} from './protobuf-names.ts'
import { tooMuchAt } from './protobuf-cost.ts'
import type { Specification } from './specification.ts'
import { TABLE } from './types/protobuf.ts'
import type { TypeRow } from './types/type-table.ts'
import { typedField } from './types/typed-field.ts'

/** Before the name, in the last line of a comment, when Protobuf does not allow it: `portbook.name: "Order Total"`. */
export const NAME_MARK = 'portbook.name: '

const EXTENSIONS_SHOWN_MAX = 100

const ROWS: ReadonlyMap<string, TypeRow> = new Map(
  TABLE.rows.flatMap((row) => [row.name, ...(row.aliases ?? [])].map((name) => [name, row])),
)

/** Reads the text of a .proto file. Where it cannot be parsed, a warning says in which line, and there are no models. */
export function readProtobuf(specification: Specification): Model[] {
  const { text } = specification
  if (text === undefined) {
    specification.warning([], 'Protobuf stands in a text, that of a .proto file; put it in one.')
    return []
  }
  const tooMuch = tooMuchAt(text)
  if (tooMuch !== undefined) {
    specification.warningAt(tooMuch, 'A message has too many fields from here on; split it up.')
    return []
  }
  let parsed: protobuf.IParserResult
  try {
    parsed = protobuf.parse(text, newRoot(), { keepCase: true, alternateCommentMode: true })
  } catch (error) {
    const { offset, message } = placeOf(error, text)
    specification.warningAt(offset, message)
    return []
  }
  return new Reader(specification, text, parsed.root).models(parsed.root)
}

// The library's root looks up what every `extend` extends as soon as it is parsed, which takes time that grows with the
// square of their number. Nothing here needs what it finds.
function newRoot(): protobuf.Root {
  return Object.assign(new protobuf.Root(), { _handleAdd: () => undefined })
}

// The parser says “illegal token 'x' (line 3)”; of what is given twice it does not say where.
function placeOf(error: unknown, text: string): { offset: number; message: string } {
  const said = error instanceof Error && !(error instanceof RangeError) ? error.message : ''
  const [, problem = said, line = '1'] = /^(.*) \(.*?line (\d+)\)$/s.exec(said) ?? []
  const lines = text.split('\n', Number(line))
  const start = lines.slice(0, -1).reduce((offset, { length }) => offset + length + 1, 0)
  const offset = start + (lines.at(-1)?.search(/\S|$/) ?? 0)
  const message =
    said === ''
      ? 'Messages stand too deep in each other here to be read as Protobuf; flatten them.'
      : `This cannot be read as Protobuf: ${clip(problem, 200)}. Correct it here or just before.`
  return { offset, message }
}

interface Inside {
  depth: number
  messages: readonly Message[]
}

class Reader {
  readonly #specification: Specification
  readonly #text: string
  readonly #isProto3: boolean
  readonly #origin: string
  readonly #budget = new FieldBudget(REFERRED_FIELDS)
  readonly #unknown = new Set<string>()
  readonly #names: TypeNames

  constructor(specification: Specification, text: string, root: protobuf.Root) {
    this.#specification = specification
    this.#text = text
    this.#isProto3 = /^\s*syntax\s*=\s*["']proto3["']/m.test(text)
    this.#origin = specification.origin([])
    this.#names = new TypeNames(root)
  }

  models(root: protobuf.Root): Model[] {
    const messages = outerMessages(root)
    if (messages.length === 0) {
      this.#specification.warningAt(0, 'No message is defined here; write “message Order { … }”.')
    }
    this.#warnOfExtensions(root)
    return modelMessages(messages, this.#names).map((message) => this.#model(message))
  }

  #warnOfExtensions(root: protobuf.Root): void {
    const extended = new Set(extensionFields(root).map(({ extend = '' }) => extend))
    for (const name of [...extended].slice(0, EXTENSIONS_SHOWN_MAX)) {
      const offset = Math.max(0, this.#text.search(/\bextend\b/))
      const at = this.#text.indexOf(`extend ${name}`, offset)
      this.#specification.warningAt(
        at === -1 ? offset : at,
        `The fields of “extend ${clip(name)}” are left out; define them in the message itself.`,
      )
    }
  }

  #model(message: Message): Model {
    const { name, description } = told(message)
    const model = plainModel(name, this.#origin)
    put(model, 'description', description)
    const namespace = message.parent?.fullName.replace(/^\./, '')
    if (namespace !== undefined && namespace !== '') model.namespace = namespace
    model.fields = this.#fields(message, { depth: 1, messages: [message] })
    return model
  }

  #fields(message: Message, inside: Inside): Field[] {
    const fields: Field[] = []
    for (const field of message.fieldsArray) {
      if (!this.#budget.take((text) => this.#specification.warningAt(0, text))) break
      fields.push(this.#field(field, inside))
    }
    return fields
  }

  #field(given: protobuf.Field, inside: Inside): Field {
    const { name, description } = told(given)
    const isHolder = given.repeated || given instanceof protobuf.MapField
    const value = this.#value(given, isHolder ? { ...inside, depth: inside.depth + 1 } : inside)
    const field = isHolder ? this.#holder(given, value) : value
    field.name = name
    put(field, 'description', description)
    return field
  }

  #holder(given: protobuf.Field, value: Field): Field {
    value.required = true
    const isMap = given instanceof protobuf.MapField
    const field = plainField('', isMap ? 'map' : 'array', this.#origin)
    field.required = true
    field.physicalType = isMap ? `map<${given.keyType}, ${given.type}>` : `repeated ${given.type}`
    if (!isMap) return { ...field, items: { ...value, name: 'items' } }
    const keys = plainField('keys', 'string', this.#origin)
    Object.assign(keys, scalarOf(given.keyType))
    return { ...field, keys: { ...keys, required: true }, values: { ...value, name: 'values' } }
  }

  #value(given: protobuf.Field, inside: Inside): Field {
    const field = plainField('', 'unknown', this.#origin)
    field.physicalType = given.type
    const type = scalarOf(given.type) === undefined ? this.#names.typeOf(given) : undefined
    field.required = this.#isRequired(given, type)
    if (type instanceof protobuf.Enum) {
      field.logicalType = 'string'
      field.enum = Object.keys(type.values)
    } else if (type !== undefined) {
      this.#object(field, type, inside)
    } else {
      const scalar = scalarOf(given.type)
      if (scalar === undefined) this.#warnOfUnknown(given.type)
      else Object.assign(field, scalar)
    }
    return field
  }

  #object(field: Field, message: Message, { depth, messages }: Inside): void {
    field.logicalType = 'object'
    if (messages.includes(message)) {
      field.references = [told(message).name]
      return
    }
    const isReached = this.#budget.reaches(depth + 1, (text) =>
      this.#specification.warningAt(0, text),
    )
    if (!isReached) return
    const fields = this.#fields(message, { depth: depth + 1, messages: [...messages, message] })
    if (fields.length > 0) field.fields = fields
  }

  #isRequired(given: protobuf.Field, type: Message | protobuf.Enum | undefined): boolean {
    if (given.rule === 'required') return true
    const presence = presenceOf(given)
    if (presence !== undefined) return presence !== 'EXPLICIT'
    const isMessage = type instanceof protobuf.Type || given.type.includes('.')
    const isPlain = given.partOf === null || given.partOf === undefined
    return this.#isProto3 && isPlain && (!isMessage || type instanceof protobuf.Enum)
  }

  #warnOfUnknown(type: string): void {
    if (this.#unknown.size === this.#unknown.add(type).size || this.#unknown.size > 100) return
    const offset = Math.max(0, this.#text.indexOf(`${type} `))
    this.#specification.warningAt(
      offset,
      `The type “${clip(type)}” is not defined here, and imports are not followed; define it here.`,
    )
  }
}

function scalarOf(type: string) {
  const row = ROWS.get(type.replace(/^\./, ''))
  return row === undefined ? undefined : typedField({ ...row, text: type })
}

// In editions a field says itself whether it may be missing: `[features.field_presence = LEGACY_REQUIRED]`.
function presenceOf({ options }: protobuf.Field): unknown {
  const features: unknown = options?.['features']
  const isObject = typeof features === 'object' && features !== null && 'field_presence' in features
  return isObject ? features.field_presence : options?.['features.field_presence']
}

// The description is the comment, without the line in which an export has kept another name.
function told({ name, comment }: Message | protobuf.Field): { name: string; description?: string } {
  // A group and a field of an extension have none at all, which the types of the library do not say.
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
