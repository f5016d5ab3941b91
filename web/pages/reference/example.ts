import { getField, asText, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { listChoices, listSchemaFields, refName, resolveReference } from './shape.ts'

// Deeper than this, only what is required is shown.
const WHOLE_DEPTH_MAX = 2
const DEPTH_MAX = 6

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  email: 'ada@example.org',
  uri: 'https://example.org',
}

/** Makes a value that a schema allows, as an example; a shape that holds itself ends after once. */
export function createExample(schema: Value, schemas: ObjectValue): Value {
  return made(schema, schemas, [])
}

function made(schema: Value, schemas: ObjectValue, above: readonly string[], depth = 0): Value {
  const name = refName(schema)
  const within = name === undefined ? above : [...above, name]
  const here = resolveReference(schema, schemas)
  const given = getField(here, 'example') ?? getField(here, 'default') ?? getField(here, 'const')
  if (given !== undefined) return given
  const values = getField(here, 'enum')
  if (Array.isArray(values)) return values[0] ?? null
  const [choice] = listChoices(here).filter((one) => getField(one, 'type') !== 'null')
  if (choice !== undefined) return made(choice, schemas, within, depth)
  const told = getField(here, 'type')
  const type = asText(Array.isArray(told) ? told[0] : told) ?? 'object'
  switch (type) {
    case 'string':
      return FORMATS[asText(getField(here, 'format')) ?? ''] ?? 'text'
    case 'integer':
    case 'number':
      return numberOf(here)
    case 'boolean':
      return true
    case 'array':
      return listMade(here, schemas, within, depth)
    case 'object':
      return objectMade(here, schemas, within, depth)
    default:
      return null
  }
}

function numberOf(schema: Value): number {
  const minimum = getField(schema, 'minimum')
  return typeof minimum === 'number' && minimum > 1 ? minimum : 1
}

function listMade(
  schema: Value,
  schemas: ObjectValue,
  above: readonly string[],
  depth: number,
): Value {
  const items = getField(schema, 'items')
  if (items === undefined || isAround(items, above) || depth >= DEPTH_MAX) return []
  return [made(items, schemas, above, depth + 1)]
}

function objectMade(
  schema: Value,
  schemas: ObjectValue,
  above: readonly string[],
  depth: number,
): Value {
  const fields = listSchemaFields(schema, schemas).filter(
    ({ isRequired, schema: field }) =>
      depth < DEPTH_MAX && !isAround(field, above) && (isRequired || depth < WHOLE_DEPTH_MAX),
  )
  return Object.fromEntries(
    fields.map((field) => [field.name, made(field.schema, schemas, above, depth + 1)]),
  )
}

function isAround(schema: Value, above: readonly string[]): boolean {
  const name = refName(schema)
  return name !== undefined && above.includes(name)
}
