/** Messages about common mistakes in documents, and their advice. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDataContract } from './data-contract/read.ts'
import { readDataProduct } from './data-product/read.ts'
import { readText } from './text/text.ts'

type Reader = (yaml: string) => string[]

const OPTIONS = { id: 'orders', strict: false, owner: 'sales' }

// Errors of a document, or else its warnings, each with its line and column.
const contract: Reader = (yaml) => {
  const source = readText(yaml, 'application/yaml')
  assert.ok(source.ok)
  const reading = readDataContract(source, OPTIONS)
  const problems = reading.ok ? reading.warnings : reading.problems
  return problems.map(
    ({ field, message, line, column }) => `${line}:${column} ${field}: ${message}`,
  )
}

const product: Reader = (yaml) => {
  const source = readText(yaml, 'application/yaml')
  assert.ok(source.ok)
  const reading = readDataProduct(source, OPTIONS)
  const problems = reading.ok ? reading.warnings : reading.problems
  return problems.map(
    ({ field, message, line, column }) => `${line}:${column} ${field}: ${message}`,
  )
}

const ODCS = `kind: DataContract
apiVersion: v3.1.0
id: orders
name: Orders
version: 1.0.0
status: active
`

const ODPS = `kind: DataProduct
apiVersion: v1.0.0
id: orders
name: Orders
version: 1.0.0
status: active
`

const SERVER = `schema: []
servers:
  - server: main
    type: TYPE
    host: h
    port: 5432
    database: d
    schema: s
`

const COLUMN = `schema:
  - name: orders
    properties:
      - name: id
        `

const CASES: [string, Reader, string, string[]][] = [
  ['no description', contract, `${ODCS}schema: []\n`, []],
  [
    'a misspelt server type, without advice to remove its fields',
    contract,
    `${ODCS}${SERVER.replace('TYPE', 'postgress')}`,
    ['10:5 servers[0].type: "postgress" is not allowed; did you mean "postgres"?'],
  ],
  [
    'a type of a platform as logical type',
    contract,
    `${ODCS}${COLUMN}logicalType: varchar\n`,
    [
      '11:9 schema[0].properties[0].logicalType: "varchar" is not allowed; write logicalType: string, and set physicalType to varchar.',
    ],
  ],
  [
    'a type in capitals',
    contract,
    `${ODCS}${COLUMN}logicalType: String\n`,
    ['11:9 schema[0].properties[0].logicalType: "String" is not allowed; did you mean "string"?'],
  ],
  [
    'a timestamp before v3.1.0',
    contract,
    `${ODCS.replace('3.1.0', '3.0.2')}${COLUMN}logicalType: timestamp\n`,
    [
      '11:9 schema[0].properties[0].logicalType: "timestamp" is not allowed; write logicalType: date, and set physicalType to timestamp.',
    ],
  ],
  [
    'yes for true',
    contract,
    `${ODCS}${COLUMN}required: yes\n`,
    [
      '11:9 schema[0].properties[0].required: This must be true or false, not text; "yes" is text in YAML 1.2; write true.',
    ],
  ],
  [
    'Off for false',
    contract,
    `${ODCS}${COLUMN}unique: Off\n`,
    [
      '11:9 schema[0].properties[0].unique: This must be true or false, not text; "Off" is text in YAML 1.2; write false.',
    ],
  ],
  [
    'typographic quotes',
    contract,
    `${ODCS.replace('name: Orders', 'name: “Orders”')}schema: []\n`,
    [
      '4:1 name: The typographic quotes around this text are part of the value; use straight quotes (") or none.',
    ],
  ],
  ['quotes inside of a text', contract, `${ODCS}tenant: the “Orders” team\nschema: []\n`, []],
  [
    'an info block in ODCS',
    contract,
    `${ODCS}info:\n  title: Orders\nschema: []\n`,
    [
      '7:1 info: Unknown field "info"; it belongs to DCS; in ODCS name, version and status are top-level fields, the owner is team.name, and the description is description.purpose.',
    ],
  ],
  [
    'the versions of two standards',
    contract,
    `${ODCS}dataContractSpecification: 1.1.0\nschema: []\n`,
    [
      '7:1 dataContractSpecification: The document has the version fields of both ODCS (apiVersion, kind) and DCS (dataContractSpecification); it is treated as ODCS. Remove the fields of the other format.',
      '7:1 dataContractSpecification: Unknown field "dataContractSpecification"; remove it, or make it a custom property.',
    ],
  ],
  [
    'a contract by its name in DPS',
    product,
    `${ODPS}outputPorts:\n  - name: a\n    version: "1"\n    dataContractId: c\n`,
    ['10:5 outputPorts[0].dataContractId: Unknown field "dataContractId"; write contractId.'],
  ],
  [
    'a misspelt status',
    product,
    ODPS.replace('active', 'actve'),
    ['6:1 status: "actve" is unusual; did you mean "active"?'],
  ],
  [
    'a status of an organization',
    product,
    ODPS.replace('active', 'in review'),
    [
      '6:1 status: "in review" is unusual; common values are proposed, draft, active, deprecated, retired.',
    ],
  ],
]

for (const [what, read, yaml, expected] of CASES) {
  test(`messages › ${what}`, () => {
    assert.deepEqual(read(yaml), expected)
  })
}
