// Data contracts that contain every field of their standard once, so that tests reach all of them.

import { isObject, type ObjectValue, type Value } from '../formats/text/value.ts'
import { FULL_ODCS_2 } from './full-odcs-2.ts'
import { addMembers, ODCS_SERVERS_3_2, PROPERTIES_3_2, SYNONYMS_3_2 } from './full-odcs-3-2.ts'
import { ODCS_SERVERS, createServer } from './full-servers.ts'

const customProperties = [{ property: 'a', value: null }]
const authoritativeDefinitions = [{ url: 'https://example.com/a', type: 'tutorial' }]
const extras = { tags: ['t'], customProperties, authoritativeDefinitions }

const range = { minimum: 1, maximum: 5.5, multipleOf: 0.5 }
const days = { format: 'yyyy-MM-dd', minimum: '2024-01-01', maximum: '2025-01-01' }

const column = {
  name: 'id',
  businessName: 'b',
  description: 'd',
  primaryKey: true,
  primaryKeyPosition: 1,
  required: true,
  unique: true,
  partitioned: false,
  partitionKeyPosition: -1,
  classification: 'c',
  encryptedName: 'e',
  transformSourceObjects: ['o'],
  transformLogic: 'l',
  transformDescription: 'd',
  examples: [1, 'a', null],
  criticalDataElement: false,
  ...extras,
}

const operators: [string, Value][] = [
  ['mustBe', 1],
  ['mustNotBe', 'x'],
  ['mustBeGreaterThan', 1],
  ['mustBeGreaterOrEqualTo', 1],
  ['mustBeLessThan', 1],
  ['mustBeLessOrEqualTo', 1],
  ['mustBeBetween', [1, 2]],
  ['mustNotBeBetween', [1, 2]],
]

const check = {
  name: 'n',
  businessImpact: 'b',
  description: 'd',
  dimension: 'accuracy',
  method: 'm',
  schedule: 's',
  scheduler: 's',
  severity: 's',
  unit: 'u',
  ...extras,
}

// The types of servers, checks and options differ between the versions before and since v3.1.0.
function odcs30(version: string): ObjectValue {
  const servers = Object.entries({
    ...ODCS_SERVERS,
    athena: `${ODCS_SERVERS['athena']} staging_dir`,
  })
  const quality: Value[] = [
    { ...check, type: 'text' },
    ...operators.map(([name, value]) => ({ type: 'library', rule: 'r', [name]: value })),
    { ...check, rule: 'r' },
    { type: 'sql', query: 'select 1' },
    { type: 'custom', engine: 'soda', implementation: { a: 1 } },
    { type: 'custom', engine: 'soda', implementation: 'text' },
  ]
  const flags = { exclusiveMinimum: true, exclusiveMaximum: false }
  const properties: Value[] = [
    {
      ...column,
      ...(version === 'v3.0.2' ? { physicalName: 'ID' } : {}),
      quality,
      physicalType: 'bigint',
      logicalType: 'integer',
    },
    { name: 'untyped', logicalTypeOptions: {} },
    {
      name: 'i',
      logicalType: 'integer',
      logicalTypeOptions: { ...range, ...flags, format: 'i64' },
    },
    { name: 'n', logicalType: 'number', logicalTypeOptions: { ...range, ...flags, format: 'f32' } },
    { name: 'd', logicalType: 'date', logicalTypeOptions: { ...days, ...flags } },
    ...nestedProperties,
  ]
  return {
    ...odcsTop(version, servers, properties, quality),
    support: [{ channel: 'c', url: 'u', description: 'd', tool: 'slack', scope: 'issues' }],
    team: [member],
  }
}

const nestedProperties: Value[] = [
  {
    name: 's',
    logicalType: 'string',
    logicalTypeOptions: { minLength: 1, maxLength: 9, pattern: '^a', format: 'email' },
  },
  { name: 'b', logicalType: 'boolean', logicalTypeOptions: {} },
  {
    name: 'o',
    logicalType: 'object',
    logicalTypeOptions: { minProperties: 1, maxProperties: 2, required: ['p'] },
    properties: [{ name: 'p', logicalType: 'string' }],
  },
  {
    name: 'a',
    logicalType: 'array',
    logicalTypeOptions: { minItems: 1, maxItems: 2, uniqueItems: true },
    items: {
      logicalType: 'array',
      items: { logicalType: 'object', properties: [{ name: 'q', logicalType: 'date' }] },
    },
  },
]

const member = {
  username: 'u',
  name: 'n',
  description: 'd',
  role: 'r',
  dateIn: '2024-02-29',
  dateOut: '2025-01-31',
  replacedByUsername: 'v',
}

function odcsTop(
  version: string,
  servers: readonly [string, string][],
  properties: Value[],
  quality: Value[],
): ObjectValue {
  const later = version === 'v3.0.0' ? {} : { authoritativeDefinitions, customProperties }
  const role = { role: 'r', access: 'read', firstLevelApprovers: 'a', secondLevelApprovers: 'b' }
  return {
    version: '1.0.0',
    kind: 'DataContract',
    apiVersion: version,
    id: 'full',
    name: 'Full',
    tenant: 'acme',
    tags: ['a'],
    status: 'active',
    servers: servers.map(([type, names]) => ({
      server: type,
      type,
      description: 'd',
      environment: 'prod',
      roles: [role],
      customProperties,
      ...createServer(names),
      ...(type === 'duckdb' ? { schema: version < 'v3.1.0' ? 1 : 's' } : {}),
    })),
    dataProduct: 'p',
    description: { usage: 'u', purpose: 'p', limitations: 'l', ...later },
    domain: 'sales',
    schema: [
      {
        name: 'orders',
        physicalName: 'ORDERS',
        physicalType: 'table',
        logicalType: 'object',
        businessName: 'b',
        description: 'd',
        dataGranularityDescription: 'g',
        properties,
        quality,
        ...extras,
      },
      { name: 'empty' },
    ],
    price: { priceAmount: 9.5, priceCurrency: 'EUR', priceUnit: 'month' },
    roles: [{ ...role, ...(version === 'v3.0.0' ? {} : { customProperties }) }],
    slaDefaultElement: 'orders.id',
    slaProperties: [
      {
        property: 'retention',
        value: 1,
        valueExt: null,
        unit: 'y',
        element: 'orders.id',
        driver: 'd',
      },
      { property: 'p', value: null },
    ],
    ...(version === 'v3.0.0' ? {} : { authoritativeDefinitions }),
    customProperties,
    contractCreatedTs: '2024-01-01T00:00:00Z',
  }
}

function odcs31(version: string): ObjectValue {
  const isNewest = version === 'v3.2.0'
  const servers: [string, string][] = [
    ...Object.entries({ ...ODCS_SERVERS, ...(isNewest ? ODCS_SERVERS_3_2 : {}) }),
    ['hive', 'host database port'],
    ['impala', 'host database port'],
    ['zen', 'host database port'],
    ['kinesis', 'region'],
  ]
  const quality: Value[] = [
    { ...check, id: 'x', type: 'text' },
    ...operators.map(([name, value]) => ({ type: 'sql', query: 'q', [name]: value })),
    { ...check, metric: 'rowCount', rule: 'r', arguments: { a: null }, mustBe: null },
    { type: 'custom', engine: 'soda', implementation: { a: 1 } },
    { type: 'sql', query: 'q', metric: 'rowCount', mustBe: 1 },
  ]
  const bounds = { exclusiveMinimum: 0, exclusiveMaximum: 9 }
  const moments = { ...days, exclusiveMinimum: '2024-01-01', exclusiveMaximum: '2026-01-01' }
  const relationships = [
    { to: 'customers.id', type: 'foreignKey', customProperties },
    { to: ['other.yaml#schema/customers/properties/id', '/a/b'] },
  ]
  const times = { ...moments, timezone: true, defaultTimezone: 'UTC' }
  const properties: Value[] = [
    {
      ...column,
      physicalName: 'ID',
      id: 'x',
      quality,
      logicalType: 'integer',
      relationships,
    },
    {
      name: 'i',
      logicalType: 'integer',
      logicalTypeOptions: { ...range, ...bounds, format: 'u8' },
    },
    {
      name: 'n',
      logicalType: 'number',
      logicalTypeOptions: { ...range, ...bounds, format: 'f64' },
    },
    { name: 'd', logicalType: 'date', logicalTypeOptions: moments },
    { name: 't', logicalType: 'time', logicalTypeOptions: times },
    { name: 'z', logicalType: 'timestamp', logicalTypeOptions: times },
    ...nestedProperties,
    ...(isNewest
      ? PROPERTIES_3_2
      : [{ name: 'untyped', logicalTypeOptions: {}, properties: [], items: {} }]),
  ]
  const top = odcsTop(version, servers, properties, quality)
  const [orders = null, ...others] = Array.isArray(top['schema']) ? top['schema'] : []
  const model = {
    ...(isObject(orders) ? orders : {}),
    relationships: [
      { from: 'orders.id', to: 'customers.id', type: 'foreignKey' },
      { from: ['a.b', 'a.c'], to: ['d.e', 'd.f'], customProperties },
    ],
    ...(isNewest ? { synonyms: SYNONYMS_3_2, context: 'text', deprecated: false } : {}),
  }
  const statement = { question: 'q', answer: 'a', id: 'x', ...extras }
  const context = {
    instructions: 'i',
    verifiedStatements: [statement],
    constraints: [{ constraint: 'c', id: 'x', ...extras }],
  }
  return {
    ...(isNewest ? addMembers(top) : top),
    schema: [model, ...others],
    support: [{ id: 'x', channel: 'c', invitationUrl: 'u', customProperties }],
    team: {
      id: 'x',
      name: 't',
      description: 'd',
      members: [{ id: 'x', ...member, ...extras }],
      ...extras,
    },
    ...(isNewest ? { context } : {}),
  }
}

/** ODCS documents with every field, by version. */
export const FULL_ODCS: ReadonlyMap<string, ObjectValue> = new Map([
  ['v2.2.2', FULL_ODCS_2],
  ['v3.0.0', odcs30('v3.0.0')],
  ['v3.0.1', odcs30('v3.0.1')],
  ['v3.0.2', odcs30('v3.0.2')],
  ['v3.1.0', odcs31('v3.1.0')],
  ['v3.2.0', odcs31('v3.2.0')],
])
