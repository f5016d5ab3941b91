/**
 * Writes an OpenAPI 3.1 document as the TypeScript types that `openapi-fetch` reads: `paths`, with
 * what every operation takes and answers, and `components`. The document is our own, so only the
 * words of JSON Schema that say which type a value has are read, and an unknown type is an error.
 */

/** A JSON Schema as zod writes it. */
type Schema = Readonly<Record<string, unknown>>

interface Operation {
  operationId: string
  summary?: string
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Readonly<Record<string, Answer | { $ref: string }>>
}

interface Answer {
  content?: Content
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: Schema
}

type Content = Readonly<Record<string, { schema?: Schema }>>

/** What is read of an OpenAPI document. */
export interface OpenApiDocument {
  paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: {
    schemas?: Readonly<Record<string, Schema>>
    responses?: Readonly<Record<string, Answer>>
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

const HEAD = '// Written by `npm run openapi` from the endpoint table; never by hand.\n\n'

/** Gives the text of the file of types. Errors: a schema of a type that is not known here. */
export function typesOf(document: OpenApiDocument): string {
  const paths = Object.entries(document.paths ?? {}).map(
    ([path, operations]) => `${quoted(path)}: ${pathItem(operations)}`,
  )
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `${quoted(name)}: ${typeOf(schema)}`,
  )
  const responses = Object.entries(document.components?.responses ?? {}).map(
    ([name, answer]) => `${quoted(name)}: ${toAnswerType(answer)}`,
  )
  const components = `{ schemas: ${object(schemas)}; responses: ${object(responses)} }`
  return `${HEAD}/** Every address, with what it takes and answers. */
export interface paths ${object(paths)}

/** The shapes that have names. */
export interface components ${components}
`
}

function pathItem(operations: Readonly<Record<string, Operation>>): string {
  return object(
    METHODS.map((method) => {
      const operation = operations[method]
      return operation === undefined
        ? `${method}?: never`
        : `${method}: ${typeOfOperation(operation)}`
    }),
  )
}

function typeOfOperation({ parameters = [], requestBody, responses }: Operation): string {
  const places = ['query', 'header', 'path', 'cookie'].map((place) => {
    const named = parameters.filter((parameter) => parameter.in === place)
    if (named.length === 0) return `${place}?: never`
    const isOptional = named.every(({ required }) => required !== true)
    const members = named.map(
      ({ name, required, schema }) =>
        `${quoted(name)}${required === true ? '' : '?'}: ${typeOf(schema ?? {})}`,
    )
    return `${place}${isOptional ? '?' : ''}: ${object(members)}`
  })
  const body =
    requestBody === undefined
      ? 'requestBody?: never'
      : `requestBody${requestBody.required === true ? '' : '?'}: { content: ${contentType(requestBody.content)} }`
  const answers = Object.entries(responses).map(
    ([status, answer]) =>
      `${status}: ${'$ref' in answer ? toReference('responses', answer.$ref) : toAnswerType(answer)}`,
  )
  return object([`parameters: ${object(places)}`, body, `responses: ${object(answers)}`])
}

function toAnswerType({ content }: Answer): string {
  const type = content === undefined ? '?: never' : `: ${contentType(content)}`
  return `{ headers: { [name: string]: unknown }; content${type} }`
}

/** Returns the type of a component that is referred to: `components['schemas']['Team']`. */
function toReference(kind: 'schemas' | 'responses', reference: string): string {
  return `components['${kind}'][${quoted(reference.split('/').at(-1) ?? '')}]`
}

function contentType(content: Content): string {
  return object(
    Object.entries(content).map(
      ([mediaType, { schema }]) => `${quoted(mediaType)}: ${typeOf(schema ?? {})}`,
    ),
  )
}

function typeOf(schema: Schema): string {
  if (typeof schema['$ref'] === 'string') {
    return toReference('schemas', schema['$ref'])
  }
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map((one) => JSON.stringify(one)))
  if ('const' in schema) return JSON.stringify(schema['const'])
  for (const [word, join] of [
    ['anyOf', union],
    ['oneOf', union],
    ['allOf', intersection],
  ] as const) {
    const parts = schema[word]
    if (Array.isArray(parts)) return join(parts.map((part: Schema) => typeOf(part)))
  }
  const { type } = schema
  if (Array.isArray(type)) {
    return union(type.map((one: unknown) => typeOf({ ...schema, type: one })))
  }
  return typeNamed(type, schema)
}

function typeNamed(type: unknown, schema: Schema): string {
  switch (type) {
    case undefined:
      return 'unknown'
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array':
      // The client's own types take tuples apart: what stands in one is told, not in which place.
      if (Array.isArray(schema['prefixItems'])) {
        return `(${union(schema['prefixItems'].map((item: Schema) => typeOf(item)))})[]`
      }
      return `(${typeOf(schemaAt(schema, 'items'))})[]`
    case 'object':
      return objectType(schema)
    default:
      throw new Error(`no type is known for ${JSON.stringify(schema)}`)
  }
}

function objectType(schema: Schema): string {
  const { properties, required } = schema
  const needed = new Set(Array.isArray(required) ? required : [])
  const more = schema['additionalProperties']
  const isOpen = typeof more === 'object' && more !== null
  if (typeof properties !== 'object' || properties === null) {
    return isOpen
      ? `{ [key: string]: ${typeOf(schemaAt(schema, 'additionalProperties'))} }`
      : '{ [key: string]: unknown }'
  }
  const members = Object.keys(properties).map((name) => {
    const mark = needed.has(name) ? '' : '?'
    return `${quoted(name)}${mark}: ${typeOf(schemaAt(schemaAt(schema, 'properties'), name))}`
  })
  return isOpen ? `${object(members)} & { [key: string]: unknown }` : object(members)
}

function schemaAt(schema: Schema, name: string): Schema {
  const found = schema[name]
  return typeof found === 'object' && found !== null ? (found as Schema) : {}
}

function union(parts: readonly string[]): string {
  return parts.length === 0 ? 'never' : [...new Set(parts)].join(' | ')
}

function intersection(parts: readonly string[]): string {
  return parts.map((part) => `(${part})`).join(' & ')
}

function object(members: readonly string[]): string {
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('\n')}\n}`
}

function quoted(name: string): string {
  return JSON.stringify(name)
}
