import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { CONNECTORS } from './connectors.ts'

const property = z.object({
  title: z.string().optional(),
  enum: z.array(z.string()).optional(),
  choices: z.record(z.string(), z.string()).optional(),
  onlyWith: z.object({ name: z.string(), values: z.array(z.string()) }).optional(),
})
const schema = z.object({ properties: z.record(z.string(), property) })

for (const { source, description } of CONNECTORS.values()) {
  const { properties } = schema.parse(z.toJSONSchema(description.configuration, { io: 'input' }))
  const fields = Object.entries(properties)

  describe(`the form of ${source}`, () => {
    test('has a title for every field and choice', () => {
      for (const [name, field] of fields) {
        assert.ok(field.title, name)
        const titled = Object.keys(field.choices ?? {})
        assert.deepEqual(titled.toSorted(), field.enum?.toSorted() ?? [], name)
      }
    })

    test('refers to an existing guide', () => {
      const { guide } = description
      const file = new URL(`../../docs/guides/sources/${guide}.md`, import.meta.url)
      assert.ok(guide === undefined || existsSync(file), file.pathname)
    })

    test('refers to existing fields and choices', () => {
      const conditions = [...fields.map(([, field]) => field), ...description.secrets]
      for (const { onlyWith } of conditions) {
        if (onlyWith === undefined) continue
        const choices = properties[onlyWith.name]?.enum ?? []
        assert.ok(
          onlyWith.values.every((value) => choices.includes(value)),
          onlyWith.name,
        )
      }
      for (const name of [...description.connectionFields, ...description.nameFields]) {
        assert.ok(name in properties, name)
      }
    })
  })
}
