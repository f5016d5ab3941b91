import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiDescription } from '../../../test/api-description.ts'
import { toEmailTemplates, toEmailTypes } from './email-texts.ts'
import { pickAccepted, toMapping, toRows } from './scim-mapping-rows.ts'

interface Schema {
  type: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  items?: Schema
  enum?: string[]
}

const { components } = createApiDescription() as unknown as {
  components: { schemas: Record<string, Schema> }
}

/** Builds a document with every member of a schema, and `extra` in each object whose members are listed. */
function fill(schema: Schema | undefined, extra: object): unknown {
  if (schema === undefined) return undefined
  const { type, properties, items, additionalProperties } = schema
  if (type.includes('array')) return [fill(items, extra)]
  if (type.includes('boolean')) return true
  // A role in a team is the mapping with all members.
  if (type.includes('string')) return schema.enum?.find((one) => one === 'teamMemberRole') ?? 'x'
  if (properties === undefined) return { a: fill(additionalProperties, extra) }
  const members = Object.entries(properties).map(([name, one]) => [name, fill(one, extra)])
  return members.length === 0 ? {} : { ...Object.fromEntries(members), ...extra }
}

type Stored = Record<string, unknown>

const FORMS: Readonly<Record<string, (stored: Stored) => object>> = {
  ScimMapping: (stored) => toMapping(stored, toRows(stored)),
  EmailTemplates: (stored) => toEmailTemplates(stored, toEmailTypes(stored)),
}

for (const [name, save] of Object.entries(FORMS)) {
  test(`${name} › the form sends every member of the API, and no other`, () => {
    const [plain, refused, accepted] = [{}, { other: true }, { other: null }].map(
      (extra) => fill(components.schemas[name], extra) as Stored,
    )
    assert.ok(plain && refused && accepted)
    assert.deepEqual(save(refused), plain)
    assert.deepEqual(save(accepted), accepted)
  })
}

test('pickAccepted › handles members with the names of built-in properties', () => {
  const stored: object = JSON.parse('{"__proto__":1,"constructor":2,"a":3,"b":null}')
  assert.equal(JSON.stringify(pickAccepted(stored, ['a'])), '{"a":3,"b":null}')
})
