import { getField, asText, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { listChoices, listSchemaFields, refName, resolveReference } from './shape.ts'
import { newTable } from '../../../formats/name/table.ts'

// Below this depth, only required fields are included.
const WHOLE_DEPTH_MAX = 2
const DEPTH_MAX = 6

const FORMATS = newTable<string>({
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  email: 'ada@example.org',
  uri: 'https://example.org',
})

/** Creates a value that a schema allows; a schema that contains itself is followed once. */
export function createExample(schema: Value, schemas: ObjectValue): Value {
  return createValue(schema, schemas, [])
}

function createValue(
  schema: Value,
  schemas: ObjectValue,
  above: readonly string[],
  depth = 0,
): Value {
  const name = refName(schema)
  const within = name === undefined ? above : [...above, name]
  const here = resolveReference(schema, schemas)
  const given = getField(here, 'example') ?? getField(here, 'default') ?? getField(here, 'const')
  if (given !== undefined) return given
  const values = getField(here, 'enum')
  if (Array.isArray(values)) return values[0] ?? null
  const [choice] = listChoices(here).filter((one) => getField(one, 'type') !== 'null')
  if (choice !== undefined) return createValue(choice, schemas, within, depth)
  const types = getField(here, 'type')
  const type = asText(Array.isArray(types) ? types[0] : types) ?? 'object'
  switch (type) {
    case 'string':
      return FORMATS[asText(getField(here, 'format')) ?? ''] ?? 'text'
    case 'integer':
    case 'number':
      return createNumber(here)
    case 'boolean':
      return true
    case 'array':
      return createList(here, schemas, within, depth)
    case 'object':
      return createObject(here, schemas, within, depth)
    default:
      return null
  }
}

function createNumber(schema: Value): number {
  const minimum = getField(schema, 'minimum')
  return typeof minimum === 'number' && minimum > 1 ? minimum : 1
}

function createList(
  schema: Value,
  schemas: ObjectValue,
  above: readonly string[],
  depth: number,
): Value {
  const items = getField(schema, 'items')
  if (items === undefined || isAmong(items, above) || depth >= DEPTH_MAX) return []
  return [createValue(items, schemas, above, depth + 1)]
}

function createObject(
  schema: Value,
  schemas: ObjectValue,
  above: readonly string[],
  depth: number,
): Value {
  const fields = listSchemaFields(schema, schemas).filter(
    ({ isRequired, schema: field }) =>
      depth < DEPTH_MAX && !isAmong(field, above) && (isRequired || depth < WHOLE_DEPTH_MAX),
  )
  return Object.fromEntries(
    fields.map((field) => [field.name, createValue(field.schema, schemas, above, depth + 1)]),
  )
}

function isAmong(schema: Value, above: readonly string[]): boolean {
  const name = refName(schema)
  return name !== undefined && above.includes(name)
}
