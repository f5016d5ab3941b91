// Finds the schemas of a document that are models: the document itself, the members of a list or of an
// object of schemas, or its definitions.

import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { type Dialect, readOpenApiDialect } from './drafts.ts'
import { isIneffective } from './keywords.ts'
import { mapMembers } from './plain.ts'
import { type SchemaPart, partAt, partsIn, tailOfId } from './references.ts'

/** The schemas of models, and the document in which their references are resolved. */
interface ModelSchemas {
  document: SchemaPart
  schemas: { part: SchemaPart; name: string }[]
  /** The parts of the document that none of the schemas contains; undefined if there are none. */
  unread?: Value
}

/** Finds the schemas of models, with the names that they have if they have no titles or ids. */
export function modelSchemas(top: SchemaPart): ModelSchemas[] {
  if (!Array.isArray(top.schema)) return [schemasIn(top, 'schema', top)]
  return partsIn(top).map(([at, part]) => schemasIn(part, `schema${Number(at) + 1}`, top))
}

/**
 * Visits the outermost schemas of a document: its own, the members of a list or of an object of schemas. Returns the
 * document with the results in their places; the same value if they are the same. `path` has a step from the document
 * for each level.
 */
export function mapRoots(
  document: Value,
  visit: (schema: Value, dialect: Dialect, path: string) => Value,
  path = '',
): Value {
  if (Array.isArray(document)) {
    const mapped = document.map((inner, at) => mapRoots(inner, visit, `${path}/${at}`))
    return mapped.every((inner, at) => inner === document[at]) ? document : mapped
  }
  if (!isObject(document)) return document
  if (isSchema(document)) return visit(document, undefined, path)
  const dialect = readOpenApiDialect(document)
  const mapAll = (schemas: Value): Value =>
    isObject(schemas)
      ? mapMembers(schemas, (name, schema) => visit(schema, dialect, `${path}/${name}`))
      : schemas
  const components = getField(document, 'components')
  if (!isObject(getField(components, 'schemas'))) return mapAll(document)
  return mapMembers(document, (name, member) =>
    name === 'components' && isObject(member)
      ? mapMembers(member, (part, inner) => (part === 'schemas' ? mapAll(inner) : inner))
      : member,
  )
}

// References are relative to each schema of a list, and to the whole of an object of schemas.
function schemasIn(document: SchemaPart, name: string, top: SchemaPart): ModelSchemas {
  const { schema } = document
  if (!isObject(schema)) {
    document.spot.warning('A JSON Schema is an object; write "type: object" and its properties.')
    return { document, schemas: [], unread: schema }
  }
  if (isSchema(schema)) return definedIn(document, name)
  const openApi = partAt(document, 'components')
  const components = openApi === undefined ? [] : partsIn(partAt(openApi, 'schemas'))
  if (components.length > 0) {
    const schemas = components.map(([key, part]) => ({ part, name: key }))
    return { document, schemas, unread: withoutSchemas(schema) }
  }
  const named = partsIn(document)
  if (named.length === 0 || !named.every(([, { schema }]) => isObject(schema))) {
    document.spot.warning('This is not a JSON Schema; write "type: object" and its properties.')
    return { document, schemas: [], unread: schema }
  }
  const isTop = document === top
  const schemas = named.map(([key, part]) => ({ part, name: isTop ? key : `${name}.${key}` }))
  return { document, schemas }
}

// A schema that only defines others represents its definitions.
function definedIn(part: SchemaPart, name: string): ModelSchemas {
  const { schema } = part
  const isOnlyDefining = !SAYING.some((keyword) => getField(schema, keyword) !== undefined)
  const defined = DEFINING.flatMap((keyword) => partsIn(partAt(part, keyword)))
  if (isOnlyDefining && defined.length > 0) {
    const schemas = defined.map(([name, part]) => ({ part, name }))
    const unread = pickMembers(schema, (keyword) => !isIneffective(keyword))
    return { document: part, schemas, ...(unread === undefined ? {} : { unread }) }
  }
  const title = asText(getField(schema, 'title')) || tailOfId(schema)
  return { document: part, schemas: [{ part, name: title ?? name }] }
}

// The paths, parameters and answers of an OpenAPI document, which may also be promises.
function withoutSchemas(document: ObjectValue): Value {
  const components = pickMembers(getField(document, 'components'), (name) => name !== 'schemas')
  const others = pickMembers(document, (name) => !OPENAPI_ANNOTATIONS.has(name))
  return { ...others, components: components ?? {} }
}

function pickMembers(
  value: Value | undefined,
  isPicked: (name: string) => boolean,
): ObjectValue | undefined {
  const picked = Object.entries(isObject(value) ? value : {}).filter(([name]) => isPicked(name))
  return picked.length === 0 ? undefined : Object.fromEntries(picked)
}

const OPENAPI_ANNOTATIONS: ReadonlySet<string> = new Set([
  'externalDocs',
  'info',
  'openapi',
  'servers',
  'tags',
])

const SCHEMA_KEYWORDS: readonly [name: string, isFit: (value: Value) => boolean][] = [
  ['$schema', isText],
  ['$id', isText],
  ['$ref', isText],
  ['type', (type) => isText(type) || Array.isArray(type)],
  ['properties', isObject],
  ['$defs', isObject],
  ['definitions', isObject],
  ['allOf', Array.isArray],
  ['anyOf', Array.isArray],
  ['oneOf', Array.isArray],
  ['enum', Array.isArray],
]

function isText(value: Value): boolean {
  return typeof value === 'string'
}

function isSchema(schema: Value): boolean {
  return SCHEMA_KEYWORDS.some(([name, isFit]) => {
    const value = getField(schema, name)
    return value !== undefined && isFit(value)
  })
}

const DEFINING = ['$defs', 'definitions']
const SAYING = ['type', 'properties', '$ref', 'allOf', 'anyOf', 'oneOf', 'items', 'enum']
