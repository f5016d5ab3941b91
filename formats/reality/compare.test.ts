import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDataContract } from '../data-contract/read.ts'
import { readText } from '../text/text.ts'
import { jsonText, type ObjectValue } from '../text/value.ts'
import { readActual } from './actual.ts'
import { comparePromise, DRIFT_FINDINGS_MAX } from './compare.ts'
import { listPromises, type PromisedModel } from './promise.ts'

interface Compared {
  findings: string[]
  unverifiable: string[]
}

/** Compares the only model of an ODCS contract with an asset; findings as `!field aspect promised → actual`, `+` if additive. */
function compare(
  properties: ObjectValue[],
  columns: ObjectValue[],
  {
    type = 'postgres',
    version = 'v3.1.0',
    model = {},
    asset = {},
    info = {},
  }: {
    type?: string
    version?: string
    model?: ObjectValue
    asset?: ObjectValue
    info?: ObjectValue
  } = {},
): Compared {
  const value: ObjectValue = {
    apiVersion: version,
    kind: 'DataContract',
    id: 'c',
    version: '1.0.0',
    status: 'active',
    servers: [{ server: 's', type, host: 'h', database: 'd', schema: 'public', account: 'a' }],
    schema: [{ name: 'orders', ...model, properties }],
  }
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'c', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  const [promise] = listPromises(reading)
  assert.ok(promise)
  const stored: PromisedModel = JSON.parse(JSON.stringify(promise.promise))
  assert.deepEqual(stored, promise.promise, 'JSON has all of a promise')
  const document = { info: { name: 'orders', source: type, type: `${type}_table`, ...info } }
  const actual = readActual({ ...document, columns, ...asset })
  const { findings, unverifiable } = comparePromise(stored, actual)
  return {
    findings: findings.map(
      ({ field, aspect, level, promised, actual: is }) =>
        `${level === 'breaking' ? '!' : '+'}${field} ${aspect} ${promised} → ${is}`,
    ),
    unverifiable: unverifiable.map(({ field, reason }) => `${field}: ${reason}`),
  }
}

const ID = { name: 'id', type: 'integer', required: true }

describe('comparePromise', () => {
  test('an asset that lists no columns is not compared: a topic may be registered by its name only', () => {
    const result = compare([{ name: 'a', logicalType: 'string' }], [], { asset: { columns: null } })
    assert.deepEqual(result, {
      findings: [],
      unverifiable: [': The asset does not list its columns.'],
    })
  })

  test('reports a dropped, an added and a renamed column', () => {
    const { findings } = compare(
      [
        { name: 'id', physicalType: 'integer', required: true },
        { name: 'a', logicalType: 'string' },
      ],
      [ID, { name: 'b', type: 'text' }],
    )
    assert.deepEqual(findings, ['!a column.missing string → null', '+b column.extra null → text'])
  })

  test('reports a wider type as breaking and a narrower one as additive', () => {
    const promised = [{ name: 'a', physicalType: 'varchar(10)' }]
    const wider = compare(promised, [{ name: 'a', type: 'character varying(20)' }])
    assert.deepEqual(wider.findings, ['!a type varchar(10) → character varying(20)'])
    const narrower = compare(promised, [{ name: 'a', type: 'character varying(5)' }])
    assert.deepEqual(narrower.findings, ['+a type varchar(10) → character varying(5)'])
  })

  test('reports a missing NOT NULL, key and unique of a table that declares constraints', () => {
    const promised = [
      { name: 'id', physicalType: 'integer', primaryKey: true, primaryKeyPosition: 1 },
      { name: 'a', physicalType: 'text', required: true, unique: true },
    ]
    const { findings } = compare(promised, [ID, { name: 'a', type: 'text' }])
    assert.deepEqual(findings, [
      '!a nullable required → nullable',
      '!a unique unique → not unique',
      '! key id → null',
    ])
  })

  test('reports one finding that keeps the promise for a table without constraints', () => {
    const promised = [
      { name: 'id', physicalType: 'integer', primaryKey: true, primaryKeyPosition: 1 },
      { name: 'a', physicalType: 'text', required: true, unique: true },
    ]
    const bare = [
      { name: 'id', type: 'integer' },
      { name: 'a', type: 'text' },
    ]
    assert.deepEqual(compare(promised, bare).findings, [
      '+ constraints required: a; unique: a; primary key: id → null',
    ])
  })

  test('reports at most 1,000 findings of a table with 5,000 other columns', () => {
    const columns = Array.from({ length: 5_000 }, (_, at) => ({ name: `c${at}`, type: 'text' }))
    const { findings } = compare([{ name: 'a', logicalType: 'string' }], columns)
    assert.equal(findings.length, DRIFT_FINDINGS_MAX)
    assert.equal(findings[0], '!a column.missing string → null')
  })
})
