// Servers of every type, with plain and with hostile values, for tests of connections.

import * as fc from 'fast-check'
import type { ConnectionInput } from '../formats/connection/connection.ts'
import type { Model } from '../formats/schema/model.ts'
import odcs from '../formats/standards/odcs-v3.2.0.schema.json' with { type: 'json' }
import type { ObjectValue } from '../formats/text/value.ts'

/** The types of servers in ODCS 3.2. */
export const SERVER_TYPES: readonly string[] = odcs.$defs.Server.properties.type.enum

const LOCATIONS: Readonly<Record<string, string>> = {
  api: 'https://api.example.com/orders?limit=10',
  azure: 'abfss://sales@acme.dfs.core.windows.net/orders',
  sftp: 'sftp://files.example.com:2222/out/orders.csv',
}

/** Creates the properties of a server with all that a rule could read. */
export function createProperties(type: string): ObjectValue {
  return {
    host: 'db.example.com',
    port: 9440,
    account: 'acme-prod',
    project: 'acme',
    catalog: 'main',
    catalogUrl: 'https://catalog.example.com/v1',
    database: 'shop',
    serviceName: 'ORCL',
    dataset: 'sales',
    schema: 'sales',
    namespace: 'sales',
    warehouse: 'WH',
    workgroup: 'readers',
    regionName: 'eu-west-1',
    stagingDir: 's3://staging/x',
    location: LOCATIONS[type] ?? 's3://bucket/{model}/*.parquet',
    path: 'data/orders.parquet',
    format: 'parquet',
  }
}

/** Creates a model with columns of these names. */
export function createModel(physicalName: string, columns: readonly string[]): Model {
  return {
    name: 'orders',
    physicalName,
    kind: 'table',
    fields: columns.map((name) => ({
      name,
      logicalType: 'string',
      required: false,
      unique: false,
      tags: [],
      references: [],
      quality: [],
      origin: '',
    })),
    primaryKey: [],
    quality: [],
    tags: [],
    origin: '',
  }
}

/** Creates the input of a connection with the values of `changes` instead of plain ones. */
export function createInput(type: string, changes: ObjectValue = {}): ConnectionInput {
  const properties = { ...createProperties(type), ...changes }
  const server = { name: 'production', type, environment: 'production', properties, origin: '' }
  return { server, model: createModel('T_ORDERS', ['id', 'total amount']), roles: ['READER'] }
}

const TRICKS = [
  '$(touch pwned)',
  '`touch pwned`',
  "'; touch pwned; '",
  '"; touch pwned; "',
  "'\\''; touch pwned #",
  '; touch pwned',
  '| touch pwned',
  '> pwned',
  '&& touch pwned',
  '\\',
  "\\'",
  '$HOME',
  '${HOME',
  '${A:-$(touch pwned)}',
  '${A:-x}',
  '$(x)',
  '\\! touch pwned',
  '"; drop table x; --',
  "'); drop table x; --",
  '] ; drop table x; --',
  '`; drop table x; --',
  '*/',
  "{{ env_var('HOME') }}",
  '<% x %>',
  '&x',
  '%0a%0d',
  '%00',
  '@evil.example.com/',
  '?x=1&y=2#z',
  '..',
  '~',
  '!!',
  ': x',
  '# x',
  'a"b',
  "a'b",
  'é ß',
  '@file',
  'file:///etc/passwd',
  '"""',
  'SQL',
]

const UNITS = Array.from('\'"`$\\;&|<>(){}[]#!*?~%@:/ ,.=+-_aZ9é')

/** Texts that break out of quotes that are not escaped. */
export const hostileText = fc.oneof(
  fc.constantFrom(...TRICKS),
  fc.string({ unit: fc.constantFrom(...UNITS), minLength: 1, maxLength: 12 }),
)

const NAMES =
  'database serviceName dataset schema namespace project catalog warehouse path format'.split(' ')

const hostileProperties = fc.dictionary(fc.constantFrom(...NAMES), hostileText)

const hostileModel = fc
  .tuple(hostileText, fc.array(hostileText, { maxLength: 3 }))
  .map(([name, columns]) => createModel(name, columns))

/** Servers of a type with hostile values where a document may have any text. */
export function hostileInput(type: string): fc.Arbitrary<ConnectionInput> {
  return fc.tuple(hostileProperties, hostileModel, hostileText).map(([changes, model, role]) => ({
    ...createInput(type, { ...changes }),
    model,
    roles: [role],
  }))
}
