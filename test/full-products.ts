// Data products that contain every field of their standard, so that tests reach all of them.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { getField, isObject, type ObjectValue, asText, type Value } from '../formats/text/value.ts'

const SCHEMAS = new URL('../formats/standards/', import.meta.url)

const TEXTS: ReadonlyMap<string | undefined, string> = new Map([
  ['uri', 'https://example.com/a'],
  ['date', '2024-02-29'],
  ['date-time', '2024-01-01T00:00:00Z'],
])

/** Returns a document with every field of a schema without conditions, such as `odps-v1.0.0`. */
export function fillSchema(name: string): ObjectValue {
  const root: Value = JSON.parse(readFileSync(new URL(`${name}.schema.json`, SCHEMAS), 'utf8'))
  const document = fill(root, root)
  assert.ok(isObject(document))
  return document
}

function fill(node: Value | undefined, root: Value): Value {
  const target = asText(getField(node, '$ref'))
  if (target !== undefined) return fill(getField(getField(root, '$defs'), target.slice(8)), root)
  const { type, enum: allowed, format, items, properties, additionalProperties } = toObject(node)
  if (Array.isArray(allowed)) return allowed.at(-1) ?? null
  if (type === 'string') return TEXTS.get(asText(format)) ?? 'a'
  if (type === 'boolean') return true
  if (type === 'array') return [fill(items, root)]
  if (type !== 'object') return { a: 1 }
  if (isObject(additionalProperties)) return { a: fill(additionalProperties, root) }
  const fields = Object.entries(toObject(properties))
  return Object.fromEntries(fields.map(([name, part]) => [name, fill(part, root)]))
}

function toObject(value: Value | undefined): ObjectValue {
  return isObject(value) ? value : {}
}

// The additions of v1.1.0.
const parts11 = {
  id: 'e',
  tags: ['t'],
  customProperties: [{ id: 'e', property: 'p', value: 1, description: 'd' }],
  authoritativeDefinitions: [{ id: 'e', type: 'glossary', url: 'https://a.b', description: 'd' }],
}
const synonyms11 = [
  {
    id: 'e',
    synonym: 's',
    description: 'd',
    locale: 'en',
    source: 's',
    status: 'active',
    customProperties: parts11.customProperties,
  },
]
const context11 = {
  instructions: 'i',
  verifiedStatements: [{ ...parts11, question: 'q', answer: 'a' }],
  constraints: [{ ...parts11, constraint: 'c' }],
}
const { id: _, ...parts11WithoutId } = parts11
/** An ODPS v1.1.0 document with every addition of that version. */
export const FULL_ODPS_1_1: Value = {
  ...parts11,
  apiVersion: 'v1.1.0',
  kind: 'DataProduct',
  id: 'full',
  deprecated: false,
  synonyms: synonyms11,
  type: 'sourceAligned',
  context: context11,
  inputPorts: [{ ...parts11, name: 'in', deprecated: true }],
  outputPorts: [
    {
      ...parts11,
      name: 'out',
      deprecated: true,
      sbom: [{ id: 'e', type: 'external' }],
      inputContracts: [{ id: 'c', version: '1' }],
      synonyms: synonyms11,
      context: context11,
    },
  ],
  managementPorts: [{ ...parts11, name: 'm', content: 'control', deprecated: false }],
  support: [{ ...parts11, channel: 'c', url: 'https://a.b' }],
  team: { ...parts11WithoutId, name: 't', members: [{ ...parts11, username: 'u' }] },
}
