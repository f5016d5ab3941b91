// Finds the schemas of a document that are models: the document itself, the members of a list or of an
// object of schemas, or its definitions.

import { getField, isObject, asText, type Value } from '../../text/value.ts'
import { type SchemaPart, partAt, partsIn, tailOfId } from './references.ts'

/** The schemas of models, and the document in which their references are resolved. */
interface ModelSchemas {
  document: SchemaPart
  schemas: { part: SchemaPart; name: string }[]
}

/** Finds the schemas of models, with the names that they have if they have no titles or ids. */
export function modelSchemas(top: SchemaPart): ModelSchemas[] {
  if (!Array.isArray(top.schema)) return [schemasIn(top, 'schema', top)]
  return partsIn(top).map(([at, part]) => schemasIn(part, `schema${Number(at) + 1}`, top))
}

// References are relative to each schema of a list, and to the whole of an object of schemas.
function schemasIn(document: SchemaPart, name: string, top: SchemaPart): ModelSchemas {
  const { schema } = document
  if (!isObject(schema)) {
    document.spot.warning('A JSON Schema is an object; write "type: object" and its properties.')
    return { document, schemas: [] }
  }
  if (isSchema(schema)) return { document, schemas: definedIn(document, name) }
  const openApi = partAt(document, 'components')
  const components = openApi === undefined ? [] : partsIn(partAt(openApi, 'schemas'))
  if (components.length > 0) {
    return { document, schemas: components.map(([key, part]) => ({ part, name: key })) }
  }
  const named = partsIn(document)
  if (named.length === 0 || !named.every(([, { schema }]) => isObject(schema))) {
    document.spot.warning('This is not a JSON Schema; write "type: object" and its properties.')
    return { document, schemas: [] }
  }
  const isTop = document === top
  const schemas = named.map(([key, part]) => ({ part, name: isTop ? key : `${name}.${key}` }))
  return { document, schemas }
}

// A schema that only defines others represents its definitions.
function definedIn(part: SchemaPart, name: string): ModelSchemas['schemas'] {
  const isOnlyDefining = !SAYING.some((keyword) => getField(part.schema, keyword) !== undefined)
  const defined = DEFINING.flatMap((keyword) => partsIn(partAt(part, keyword)))
  if (isOnlyDefining && defined.length > 0) {
    return defined.map(([name, part]) => ({ part, name }))
  }
  const title = asText(getField(part.schema, 'title')) || tailOfId(part.schema)
  return [{ part, name: title ?? name }]
}

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
