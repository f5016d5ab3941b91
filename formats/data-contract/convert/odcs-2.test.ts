import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { assertSoon } from '../../../test/specification.ts'
import { mutations } from '../../../test/document-mutations.ts'
import { FULL_ODCS } from '../../../test/full-contracts.ts'
import { lostValues } from '../../../test/lost-values.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { standardsFor } from '../../../test/standards.ts'
import { conforms } from '../../shape/inspect.ts'
import { readText } from '../../text/text.ts'
import { getField, jsonText, type ObjectValue, type Value, valueAt } from '../../text/value.ts'
import { odcs3FromOdcs2 } from './odcs-2.ts'
import { isOdcs2 } from '../detect.ts'
import { odcs2Shape } from '../odcs/shape.ts'
import { odcsShape } from '../odcs/shape.ts'
import { readDataContract } from '../read.ts'

const MUTATIONS = 130

const definitions = [{ url: 'https://example.com/d', type: 'tutorial' }]

// Parts that the full document of the tests lacks: the location of the data, unusual types, several tables.
const SELLERS: ObjectValue = {
  apiVersion: 'v2.2.2',
  kind: 'DataContract',
  uuid: 'full',
  version: '1.1.0',
  type: 'tables',
  status: 'current',
  tenant: 'acme',
  datasetName: 'access_views',
  quantumName: 'Sellers',
  datasetDomain: 'sales',
  datasetKind: 'virtual',
  userConsumptionMode: 'analytical',
  sourcePlatform: 'PostgreSQL',
  sourceSystem: 'billing',
  server: 'db.example.com',
  database: 'shop',
  driver: 'org.postgresql.Driver',
  driverVersion: '42',
  username: '${env.username}',
  password: '${env.password}',
  productSlackChannel: '#sellers',
  productFeedbackUrl: 'https://example.com/feedback',
  productDl: 'sellers@example.com',
  tags: ['a'],
  description: { purpose: 'p', usage: 'u', limitations: 'l' },
  dataset: [
    {
      table: 'payments',
      physicalName: 'tbl_1',
      priorTableName: 'seller',
      description: 'd',
      dataGranularity: 'one row for each payment',
      authoritativeDefinitions: definitions,
      columns: [
        {
          column: 'id',
          businessName: 'Id',
          logicalType: 'STRING',
          physicalType: 'varchar(18)',
          isPrimaryKey: true,
          primaryKeyPosition: 2,
          isNullable: false,
          partitionStatus: true,
          partitionKeyPosition: 1,
          encryptedColumnName: 'id_e',
          transformLogic: 'select 1',
          transformDescription: 't',
          authoritativeDefinitions: definitions,
        },
        { column: 'at', logicalType: 'date', physicalType: 'date', isPrimaryKey: true },
        { column: 'raw', logicalType: 'binary', physicalType: 'bytea', isNullable: true },
        { column: 'attributes', logicalType: 'map', physicalType: 'jsonb', sampleValues: ['{}'] },
        { column: 'odd', logicalType: 'money', physicalType: 'decimal(10,2)', isUnique: true },
      ],
      quality: [
        {
          code: 'c',
          templateName: 'NullCheck',
          description: 'No row without an id.',
          toolName: 'Sweeper',
          toolRuleName: 'DQ.rw.tab1',
          dimension: 'completeness',
          columns: 'id',
          type: 'dataQuality',
          severity: 'error',
          businessImpact: 'operational',
          scheduleCronExpression: '0 20 * * *',
        },
      ],
    },
    { table: 'receivers' },
  ],
  price: { priceAmount: 9.95, priceCurrency: 'USD', priceUnit: 'megabyte' },
  stakeholders: [
    { username: 'ada', role: 'owner', dateIn: '2022-10-01', replacedByUsername: 'bob' },
    { username: 'bob', dateIn: 'yesterday', dateOut: '' },
    { role: 'nobody' },
  ],
  roles: [{ role: 'reader', access: 'read', firstLevelApprovers: 'f', secondLevelApprovers: 's' }],
  slaDefaultColumn: 'payments.at',
  slaProperties: [
    { property: 'latency', value: 4, unit: 'd', column: 'payments.at' },
    { property: 'retention', value: '3', valueExt: 5, unit: 'y', driver: 'regulatory' },
  ],
  customProperties: [{ property: 'owner', value: 'team-sellers' }],
}

const SAMPLES = [SELLERS, ...FULL_ODCS.values()].filter(isOdcs2)

// Words and names of both versions that are easily confused.
const WORDS = [
  'bigquery',
  'kafka',
  'custom',
  'v2.2.0',
  'map',
  'unknown',
  'INTEGER',
  'invalidValues',
]
const NAMES =
  'servers schema host port team name domain members support customProperties element quality required customType __proto__ columns slaDefaultElement relationships physicalType'.split(
    ' ',
  )

function read(value: Value) {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'full', strict: false })
  return reading.ok ? reading.contract : undefined
}

// A field is nullable if it is not required.
function invertNullable(document: Value): Value {
  const text = jsonText(document).replaceAll(
    /"isNullable":(true|false)/g,
    (_, flag) => `"isNullable":${flag === 'false'}`,
  )
  return JSON.parse(text)
}

function check(document: Value): void {
  const converted = odcs3FromOdcs2(document, 'full')
  if (conforms(document, odcs2Shape)) {
    assert.ok(conforms(converted, odcsShape('v3.1.0')), 'a valid document becomes a valid one')
  }
  const lost = lostValues(document, converted)
  const lostIfTurned = new Set(
    lost.length === 0 ? [] : lostValues(invertNullable(document), converted),
  )
  const isLost = (value: string) => lostIfTurned.has(value)
  assert.deepEqual(lost.filter(isLost), [], 'every value is somewhere')
  const before = read(document)
  if (before === undefined || before.formatVersion?.startsWith('v2.') === false) return
  const after = read(converted)
  assert.deepEqual(
    differingPaths(before.models, after?.models ?? []),
    [],
    'the models are the same',
  )
  assert.deepEqual(
    [after?.ownerTeamId, after?.name, after?.domain],
    [before.ownerTeamId, before.name, before.domain],
  )
}

test('ODCS 2.2 → 3.1 › preserves all values, models, the owner, and validity', () => {
  for (const document of SAMPLES) {
    check(document)
    fc.assert(fc.property(mutations(document, WORDS, NAMES), check), {
      seed: 1,
      numRuns: MUTATIONS,
    })
  }
})

test('ODCS 2.2 → 3.1 › the result is valid under the official schema', (t) => {
  const files = standardsFor(t, 'odcs')
  const schemas = ['odcs-v2.2.2.schema.json', 'odcs-v3.1.0.schema.json'].map(
    (name) => files?.find((file) => file.name === name)?.text,
  )
  const [isOlder, isNewer] = schemas.map((text) => {
    const ajv = new Ajv2019({ strict: false })
    addFormats.default(ajv)
    return text === undefined ? undefined : ajv.compile(JSON.parse(text))
  })
  if (isOlder === undefined || isNewer === undefined) return
  let count = 0
  const holds = (document: Value) => {
    if (!isOlder(document)) return
    count += 1
    assert.ok(isNewer(odcs3FromOdcs2(document, 'full')), JSON.stringify(isNewer.errors))
  }
  for (const document of SAMPLES) {
    holds(document)
    const property = fc.property(mutations(document, WORDS, NAMES), holds)
    fc.assert(property, { seed: 2, numRuns: MUTATIONS })
  }
  assert.ok(count > MUTATIONS / 2, 'many of them were valid')
})

const custom = (property: string, value: Value) => ({ property, value })

test('ODCS 2.2 → 3.1 › maps fields that both versions have', () => {
  const converted = odcs3FromOdcs2(SELLERS, 'full')
  const at = (...path: (string | number)[]) => valueAt(converted, path)
  assert.deepEqual([at('id'), at('name'), at('domain')], ['full', 'Sellers', 'sales'])
  assert.deepEqual(at('team', 'members', 0), {
    username: 'ada',
    role: 'owner',
    dateIn: '2022-10-01',
    replacedByUsername: 'bob',
  })
  assert.deepEqual(at('slaProperties', 0), {
    property: 'latency',
    value: 4,
    unit: 'd',
    element: 'payments.at',
  })
  assert.equal(at('slaDefaultElement'), 'payments.at')
  assert.deepEqual(at('servers', 0), {
    server: 'db.example.com',
    type: 'custom',
    host: 'db.example.com',
    database: 'shop',
    customProperties: [
      custom('customType', 'PostgreSQL'),
      custom('odcs2.driver', 'org.postgresql.Driver'),
      custom('odcs2.driverVersion', '42'),
      custom('odcs2.sourceSystem', 'billing'),
    ],
  })
  assert.deepEqual(at('schema', 0, 'properties', 0), {
    name: 'id',
    logicalType: 'string',
    businessName: 'Id',
    physicalType: 'varchar(18)',
    primaryKey: true,
    primaryKeyPosition: 2,
    required: true,
    partitioned: true,
    partitionKeyPosition: 1,
    encryptedName: 'id_e',
    transformLogic: 'select 1',
    transformDescription: 't',
    authoritativeDefinitions: definitions,
    customProperties: [custom('odcs2.logicalType', 'STRING')],
  })
  assert.equal(getField(at('schema', 0, 'quality', 0), 'schedule'), '0 20 * * *')
  assert.equal(at('support', 0, 'channel'), '#sellers')
})

test('ODCS 2.2 → 3.1 › converts a large document fast', () => {
  const columns = Array.from({ length: 20_000 }, (_, at) => ({
    column: `c${at}`,
    logicalType: 'map',
    physicalType: `decimal(${at % 30},2)`,
  }))
  assertSoon(() => {
    odcs3FromOdcs2({ ...SELLERS, dataset: [{ table: 't', columns }] }, 'full')
  })
})
