/** Proposals: each applied to its contract, and compared again. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDataContract } from '../../data-contract/read.ts'
import { readText } from '../../text/text.ts'
import type { ObjectValue } from '../../text/value.ts'
import { readActual } from '../actual.ts'
import { comparePromise } from '../compare.ts'
import { DRIFT_ASPECTS, type DriftDifference } from '../difference.ts'
import { listPromises } from '../promise.ts'
import { proposeChange, type Proposal } from './propose.ts'

const TIERS = [
  [
    { id: 'open', name: 'Open' },
    { id: 'secret', name: 'Secret' },
  ],
]

const MEDIA_TYPE = 'application/yaml'

function compare(text: string, table: ObjectValue): DriftDifference[] {
  const source = readText(text, MEDIA_TYPE)
  assert.ok(source.ok, text)
  const reading = readDataContract(source, { id: 'c', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  const [promise] = listPromises(reading)
  assert.ok(promise)
  return comparePromise(promise.promise, readActual(table), TIERS).findings
}

function propose(
  text: string,
  table: ObjectValue,
  aspects: readonly string[],
): { before: DriftDifference[]; proposal: Proposal } {
  const before = compare(text, table)
  const findings = before
    .filter(({ aspect }) => aspects.includes(aspect))
    .map((one, at) => ({ ...one, id: String(at) }))
  const tables = [{ server: 's', model: 'orders', actual: readActual(table), findings }]
  return {
    before,
    proposal: proposeChange({ id: 'c', text, mediaType: MEDIA_TYPE }, tables, TIERS),
  }
}

function buildTable(columns: ObjectValue[], more: ObjectValue = {}): ObjectValue {
  const info = { name: 'orders', source: 'postgres', type: 'postgres_table' }
  return { info, columns, ...more }
}

const ODCS_HEAD = `# A contract.
apiVersion: v3.1.0
kind: DataContract
id: c
version: 1.0.0
status: active   # as agreed
servers:
  - { server: s, type: postgres, host: h, database: d, schema: public }
schema:
  - name: orders
    physicalType: table
    properties:
`

const ODCS_2_HEAD = `apiVersion: v2.2.2
kind: DataContract
uuid: c
version: 1.0.0
status: active
type: tables
sourcePlatform: postgres
server: s
database: d
dataset:
  - table: orders
    columns:
`

const DCS_HEAD = `dataContractSpecification: 1.1.0
id: c
info: { title: c, version: 1.0.0 }
servers:
  s: { type: postgres, host: h, port: 5432, database: d, schema: public }
models:
  orders:
    type: table
    fields:
`

const ID = '      - name: id # the key\n        physicalType: bigint\n        required: true\n'
const ID_COLUMN = { name: 'id', type: 'bigint', required: true }

type Case = [
  name: string,
  head: string,
  fields: string,
  table: ObjectValue,
  expected: string,
  aspects: string[],
]

const CASES: Case[] = [
  [
    'a physical type',
    ODCS_HEAD,
    `${ID}      - name: total   # net\n        physicalType: 'varchar(10)'\n        logicalType: string\n        logicalTypeOptions: { maxLength: 10 }\n`,
    buildTable([ID_COLUMN, { name: 'total', type: 'numeric(10,2)' }]),
    `${ID}      - name: total   # net\n        physicalType: 'numeric(10,2)'\n        logicalType: number\n`,
    ['type'],
  ],
  [
    'a physical type of the same category leaves the logical type',
    ODCS_HEAD,
    `${ID}      - {name: total, physicalType: varchar(10), logicalType: string}\n`,
    buildTable([ID_COLUMN, { name: 'total', type: 'text' }]),
    `${ID}      - {name: total, physicalType: "text", logicalType: string}\n`,
    ['type'],
  ],
  [
    'a logical type',
    ODCS_HEAD,
    '      - name: total\n        logicalType: string\n        required: true\n',
    buildTable([{ name: 'total', type: 'numeric(10,2)', required: true }]),
    '      - name: total\n        logicalType: number\n        required: true\n',
    ['type'],
  ],
  [
    'a nullable column',
    ODCS_HEAD,
    `${ID}      - name: a\n        logicalType: string\n        required: true # always\n`,
    buildTable([ID_COLUMN, { name: 'a', type: 'text' }]),
    `${ID}      - name: a\n        logicalType: string\n        required: false # always\n`,
    ['nullable'],
  ],
  [
    'a required column',
    ODCS_HEAD,
    `${ID}      - name: a\n        logicalType: string\n`,
    buildTable([ID_COLUMN, { name: 'a', type: 'text', required: true }]),
    `${ID}      - name: a\n        required: true\n        logicalType: string\n`,
    ['nullable'],
  ],
  [
    'a column that is not unique',
    ODCS_HEAD,
    `${ID}      - name: a\n        logicalType: string\n        unique: true\n`,
    buildTable([ID_COLUMN, { name: 'a', type: 'text' }]),
    `${ID}      - name: a\n        logicalType: string\n        unique: false\n`,
    ['unique'],
  ],
  [
    'another primary key, with a column that the contract does not have',
    ODCS_HEAD,
    `${ID}        primaryKey: true\n        primaryKeyPosition: 1\n      - name: a\n        logicalType: string\n        required: true\n`,
    buildTable(
      [
        ID_COLUMN,
        { name: 'a', type: 'text', required: true },
        { name: 'b', type: 'date', required: true },
      ],
      { custom: { primaryKey: ['b', 'a'] } },
    ),
    `${ID}      - name: a\n        logicalType: string\n        required: true\n        primaryKey: true\n        primaryKeyPosition: 2\n      - name: b\n        physicalType: date\n        required: true\n        logicalType: date\n        primaryKey: true\n        primaryKeyPosition: 1\n`,
    ['key'],
  ],
  [
    'a missing column that is part of the key',
    ODCS_HEAD,
    `${ID}        primaryKey: true\n      - name: gone # was here\n        logicalType: string\n        primaryKey: true\n      - name: kept\n        logicalType: string\n`,
    buildTable([ID_COLUMN, { name: 'kept', type: 'text' }], { custom: { primaryKey: ['id'] } }),
    `${ID}        primaryKey: true\n      - name: kept\n        logicalType: string\n`,
    ['column.missing'],
  ],
  [
    'additional columns, also within a column',
    ODCS_HEAD,
    `${ID}      - name: address\n        logicalType: object\n        properties:\n          - name: city\n            logicalType: string\n`,
    buildTable([
      ID_COLUMN,
      {
        name: 'address',
        type: 'struct',
        properties: [
          { name: 'city', type: 'text' },
          { name: 'zip', type: 'varchar(5)' },
        ],
      },
      { name: 'since', type: 'date', description: 'First order' },
    ]),
    `${ID}      - name: address\n        logicalType: object\n        properties:\n          - name: city\n            logicalType: string\n          - name: zip\n            physicalType: varchar(5)\n            logicalType: string\n            logicalTypeOptions:\n              maxLength: 5\n      - name: since\n        physicalType: date\n        description: First order\n        logicalType: date\n`,
    ['column.extra'],
  ],
  [
    'another classification',
    ODCS_HEAD,
    `${ID}      - name: a\n        logicalType: string\n        classification: open\n`,
    buildTable([ID_COLUMN, { name: 'a', type: 'text', tags: ['secret'] }]),
    `${ID}      - name: a\n        logicalType: string\n        classification: secret\n`,
    ['classification'],
  ],
  [
    'a table without constraints',
    ODCS_HEAD,
    `${ID}        unique: true\n        primaryKey: true\n`,
    buildTable([{ name: 'id', type: 'bigint' }]),
    '      - name: id # the key\n        physicalType: bigint\n        required: false\n        unique: false\n',
    ['constraints'],
  ],
  [
    'ODCS 2.2: type, nullability, key, missing and additional columns',
    ODCS_2_HEAD,
    `      - column: id\n        logicalType: integer\n        physicalType: integer # small\n        isNullable: false\n      - column: gone\n        physicalType: text\n      - column: a\n        logicalType: string\n        isNullable: false\n        isUnique: true\n`,
    buildTable(
      [
        { name: 'id', type: 'bigint', required: true },
        { name: 'a', type: 'date' },
        { name: 'b', type: 'text' },
      ],
      { custom: { primaryKey: ['id'] } },
    ),
    `      - column: id\n        isPrimaryKey: true\n        primaryKeyPosition: 1\n        logicalType: integer\n        physicalType: bigint # small\n        isNullable: false\n      - column: a\n        logicalType: date\n        isNullable: true\n        isUnique: false\n      - column: b\n        logicalType: string\n        physicalType: text\n        isNullable: true\n`,
    ['type', 'nullable', 'unique', 'key', 'column.missing', 'column.extra'],
  ],
  [
    'DCS: type, nullability, key, missing and additional columns',
    DCS_HEAD,
    `      id: { type: long, required: true } # the key\n      gone:\n        type: string\n      a:\n        type: string\n        required: true\n        unique: true\n`,
    buildTable(
      [
        { name: 'id', type: 'bigint', required: true },
        { name: 'a', type: 'date' },
        { name: 'b', type: 'text' },
      ],
      { custom: { primaryKey: ['id'] } },
    ),
    `      id: { type: long, required: true, "primaryKey": true } # the key\n      a:\n        type: date\n        required: false\n        unique: false\n      b:\n        type: string\n`,
    ['type', 'nullable', 'unique', 'key', 'column.missing', 'column.extra'],
  ],
]

describe('proposeChange', () => {
  for (const [name, head, fields, table, expected, aspects] of CASES) {
    test(`${name} › the rest stays byte for byte, and no difference is left`, () => {
      const tail = '# The end.\n'
      const { before, proposal } = propose(`${head}${fields}${tail}`, table, aspects)
      assert.deepEqual(
        [...new Set(before.map(({ aspect }) => aspect))]
          .filter((one) => aspects.includes(one))
          .toSorted(),
        aspects.toSorted(),
      )
      assert.ok(proposal.ok, JSON.stringify(proposal))
      assert.equal(proposal.text, `${head}${expected}${tail}`)
      const after = compare(proposal.text, table)
      assert.deepEqual(
        after.filter(({ aspect }) => aspects.includes(aspect)),
        [],
      )
    })
  }

  test('every aspect but a table that does not exist has a case', () => {
    const cases = new Set(CASES.flatMap((one) => one[5]))
    assert.deepEqual(
      DRIFT_ASPECTS.filter((aspect) => !cases.has(aspect)),
      ['object', 'kind'],
    )
  })
})
