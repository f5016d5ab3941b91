import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIn } from '../../../test/specification.ts'
import type { Value } from '../../text/value.ts'
import { readAvro } from '../avro/read.ts'
import { TABLE } from './avro.ts'
import { typedField } from './typed-field.ts'

// The spelling of types in a schema, if it is not just their name.
const WRITTEN: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['decimal', { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 }],
  ['enum', { type: 'enum', name: 'E', symbols: [] }],
  ['uuid', { type: 'string', logicalType: 'uuid' }],
  ['duration', { type: 'fixed', name: 'D', size: 12, logicalType: 'duration' }],
  ['fixed', { type: 'fixed', name: 'F', size: 4 }],
  ['date', { type: 'int', logicalType: 'date' }],
  ['time-millis', { type: 'int', logicalType: 'time-millis' }],
  ...[
    'time-micros',
    ...['millis', 'micros', 'nanos'].flatMap((unit) => [
      `timestamp-${unit}`,
      `local-timestamp-${unit}`,
    ]),
  ].map((name): [string, Value] => [name, { type: 'long', logicalType: name }]),
  ['record', { type: 'record', name: 'I', fields: [] }],
  ['error', { type: 'error', name: 'I', fields: [] }],
  ['array', { type: 'array', items: 'int' }],
  ['map', { type: 'map', values: 'int' }],
])

for (const row of TABLE.rows) {
  for (const name of [row.name, ...(row.aliases ?? [])]) {
    test(`Avro’s ${name} › has the type that the reader of Avro returns`, () => {
      const type = WRITTEN.get(name) ?? name
      const { models, warnings } = readIn(
        { type: 'record', name: 'R', fields: [{ name: 'f', type }] },
        readAvro,
      )
      const [field] = models[0]?.fields ?? []
      assert.deepEqual(warnings, [])
      const { logicalType, format } = typedField({ ...row, text: name })
      assert.deepEqual([field?.logicalType, field?.format], [logicalType, format])
      if (name === 'null') return
      assert.equal(field?.physicalType?.replace(/\(.*/, ''), name.replace('error', 'record'))
    })
  }
}
