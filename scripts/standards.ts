/**
 * `node scripts/standards.ts <file>…`: writes official JSON Schemas of standards, without annotations, to
 * `formats/standards/`.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { isObject, type ObjectValue, type Value } from '../formats/text/value.ts'

const FOLDER = new URL('../formats/standards/', import.meta.url)

const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'deprecationMessage',
  'x-extensible-enum',
])

// Keywords whose fields are names, not keywords.
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs'])

/** Removes everything from a JSON Schema that does not restrict documents. */
export function withoutAnnotations(schema: Value, isNamed = false): Value {
  if (Array.isArray(schema)) return schema.map((item) => withoutAnnotations(item))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([name]) => isNamed || !ANNOTATIONS.has(name))
  return Object.fromEntries(
    kept.map(([name, value]) => [name, withoutAnnotations(value, !isNamed && NAMED.has(name))]),
  )
}

/** Writes a JSON Schema with each field and each definition on a line of its own. */
export function writeSchema(schema: ObjectValue): string {
  const parts = Object.entries(schema).map(([keyword, value]) => {
    if (!NAMED.has(keyword) || !isObject(value)) return `  ${writeMember(keyword, value)}`
    const members = Object.entries(value).map(([name, part]) => `    ${writeMember(name, part)}`)
    return `  ${JSON.stringify(keyword)}: {\n${members.join(',\n')}\n  }`
  })
  return `{\n${parts.join(',\n')}\n}\n`
}

function writeMember(name: string, value: Value): string {
  return `${JSON.stringify(name)}: ${JSON.stringify(value)}`
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) {
    const schema = withoutAnnotations(JSON.parse(readFileSync(file, 'utf8')))
    if (isObject(schema)) writeFileSync(new URL(basename(file), FOLDER), writeSchema(schema))
  }
}
