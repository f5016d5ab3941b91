// DCS documents that contain every field of their standard once, so that tests reach all of them.

import type { ObjectValue, Value } from '../formats/text/value.ts'

const links = { docs: 'https://example.com/docs' }

const lineage = {
  inputFields: [
    {
      namespace: 'n',
      name: 'm',
      field: 'f',
      transformations: [{ type: 't', subtype: 's', description: 'd', masking: true }],
    },
  ],
  transformationDescription: 'd',
  transformationType: 't',
}

function quality(metric: string): Value[] {
  const numbers = { mustBeGreaterThan: 1, mustBeLessThan: 2 }
  const between = { mustBeBetween: [1, 2], mustNotBeBetween: [3, 4] }
  return [
    { type: 'text', description: 'd' },
    { type: 'sql', query: 'q', dialect: 'd', mustBe: 1, mustNotBe: 2, ...numbers, ...between },
    { type: 'sql', query: 'q', mustBeBetween: [1, 1] },
    { type: 'library', [metric]: 'm', mustBe: 'x', mustNotBe: null, ...numbers, ...between },
    { type: 'custom', engine: 'soda', implementation: ['a'] },
    { type: 'custom', engine: 'soda', implementation: { a: 1 } },
    { description: 'd', query: 'q', [metric]: 'm', engine: 'e', mustBe: 1 },
  ]
}

function fields(version: string): ObjectValue {
  const isLater = version > '1'
  const numbers = { minimum: 1, maximum: 2.5, exclusiveMinimum: 0, exclusiveMaximum: 3 }
  return {
    id: {
      title: 't',
      description: 'd',
      type: 'varchar',
      required: true,
      unique: true,
      primary: true,
      references: 'customers.id',
      enum: ['a', 'b'],
      minLength: 1,
      maxLength: 9,
      format: 'email',
      pattern: '^a',
      example: 'e',
      pii: true,
      classification: 'c',
      tags: ['t'],
      links,
      config: { avroType: 'string', bigqueryType: 'STRING', other: [1], none: null },
      ...(isLater
        ? {
            primaryKey: true,
            examples: [1, null],
            lineage,
            quality: quality(version === '1.2.1' ? 'metric' : 'rule'),
          }
        : {}),
    },
    amount: { type: 'decimal', precision: 10, scale: 2, ...numbers },
    ref: { $ref: '#/definitions/order_id' },
    record: { type: 'record', fields: { a: { type: 'struct', fields: { b: { type: 'null' } } } } },
    list: { type: 'array', items: { type: 'array', items: { type: 'date' } } },
    map: { type: 'map', keys: { type: 'string' }, values: { type: 'bytes' } },
  }
}

const SERVERS: ObjectValue = {
  bigquery: { type: 'bigquery', project: 'p', dataset: 'd' },
  s3: { type: 's3', location: 's3://bucket', format: 'json', delimiter: 'array' },
  sftp: { type: 'sftp', location: 'sftp://host/a', format: 'csv' },
  redshift: { type: 'redshift', account: 'a', database: 'd', schema: 's', port: 5439 },
  azure: { type: 'azure', location: 'https://example.com', format: 'parquet' },
  sqlserver: { type: 'sqlserver', host: 'h', port: 1433, database: 'd', schema: 's' },
  snowflake: { type: 'snowflake', account: 'a', database: 'd', schema: 's' },
  databricks: { type: 'databricks', host: 'h', catalog: 'c', schema: 's' },
  dataframe: { type: 'dataframe' },
  glue: { type: 'glue', account: 'a', database: 'd', location: 's3://b', format: 'x' },
  postgres: { type: 'postgres', host: 'h', port: 5432, database: 'd', schema: 's' },
  oracle: { type: 'oracle', host: 'h', port: 1521, serviceName: 's' },
  kafka: { type: 'kafka', host: 'h', topic: 't', format: 'json' },
  pubsub: { type: 'pubsub', project: 'p', topic: 't' },
  kinesis: { type: 'kinesis', stream: 's', region: 'r', format: 'f' },
  trino: { type: 'trino', host: 'h', port: 8080, catalog: 'c', schema: 's' },
  local: { type: 'local', path: 'p', format: 'f' },
}

function servers(version: string): ObjectValue {
  if (version === '0.9.3') {
    const gcs = { type: 'gcs', location: 'gs://bucket', format: 'delta' }
    return { ...SERVERS, Big: { type: 'BigQuery', project: 'p', dataset: 'd' }, gcs }
  }
  const roles = [{ name: 'r', description: 'd' }]
  const described = Object.entries(SERVERS).map(([name, server]) => [
    name,
    { ...Object(server), description: 'd', environment: 'prod', roles },
  ])
  const added =
    version === '1.1.0'
      ? { Big: { type: 'BigQuery' } }
      : {
          clickhouse: { type: 'clickhouse', host: 'h', port: 1, database: 'd' },
          own: { type: 'x' },
        }
  return { ...Object.fromEntries(described), ...added }
}

const servicelevels = {
  availability: { description: 'd', percentage: '99.9%' },
  retention: { description: 'd', period: 'P1Y', unlimited: false, timestampField: 'f' },
  latency: { threshold: '25h', sourceTimestampField: 's', processedTimestampField: 'p' },
  freshness: { threshold: '25h', timestampField: 't' },
  frequency: { type: 'batch', interval: 'daily', cron: '0 0 * * *' },
  support: { time: '9 to 5', responseTime: '24h' },
  backup: { interval: 'weekly', cron: '0 0 * * 0', recoveryTime: '1h', recoveryPoint: '1d' },
}

function full(version: string): ObjectValue {
  const isLater = version > '1'
  const contact = { name: 'n', url: 'https://example.com', email: 'ada@example.com' }
  const policies = [{ type: 'p', description: 'd', url: 'https://example.com/p', more: 1 }]
  const model = {
    description: 'd',
    title: 't',
    type: 'table',
    fields: fields(version),
    config: { avroNamespace: 'n', other: {} },
    ...(isLater
      ? { primaryKey: ['id'], quality: quality(version === '1.2.1' ? 'metric' : 'rule') }
      : {}),
    ...(version === '1.2.1' ? { additionalFields: true } : {}),
  }
  const definition = {
    domain: 'd',
    name: 'order_id',
    title: 't',
    type: 'text',
    description: 'd',
    format: 'uuid',
    precision: 1,
    scale: 1,
    example: 'e',
    pii: false,
    tags: ['t'],
    links,
  }
  const specifications = {
    schema: { type: 'json-schema', specification: { title: 'a', type: 'object' } },
    examples: [
      { type: 'csv', description: 'd', model: 'm', data: 'a,b' },
      { type: 'json', data: [{ a: 1 }] },
    ],
    quality: { type: 'SodaCL', specification: 'checks: []' },
  }
  return {
    dataContractSpecification: version,
    id: 'full',
    info: {
      title: 'Full',
      version: '1',
      status: 'active',
      description: 'd',
      owner: 'team',
      contact,
    },
    servers: servers(version),
    terms: {
      usage: 'u',
      limitations: 'l',
      billing: 'b',
      noticePeriod: 'P3M',
      ...(isLater ? { policies } : {}),
    },
    models: { orders: model, view: { type: 'view', fields: {} } },
    definitions: { order_id: definition },
    servicelevels,
    links,
    tags: ['t'],
    ...(isLater ? {} : specifications),
  }
}

const first: ObjectValue = {
  dataContractSpecification: '0.9.0',
  id: 'full',
  info: { title: 'Full', version: '1', owner: 'team', contact: { email: 'ada@example.com' } },
  servers: {
    a: { type: 'BigQuery', project: 'p', dataset: 'd' },
    b: { type: 's3', location: 's3://bucket' },
    c: { type: 'redshift', account: 'a', database: 'd', schema: 's' },
    d: { type: 'databricks', share: 's' },
    e: { type: 'kafka', host: 'h', topic: 't' },
  },
  terms: { usage: 'u', limitations: 'l', billing: 'b', noticePeriod: 'n' },
  schema: { type: 'avro', specification: '{}' },
  examples: [{ type: 'csv', model: 'm', data: 'a,b' }],
  quality: { type: 'montecarlo', specification: {} },
}

/** DCS documents with every field, by version. */
export const FULL_DCS: ReadonlyMap<string, ObjectValue> = new Map([
  ['0.9.0', first],
  ['0.9.3', full('0.9.3')],
  ['1.1.0', full('1.1.0')],
  ['1.2.1', full('1.2.1')],
])
