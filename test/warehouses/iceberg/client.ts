/** A client of Iceberg REST catalogs that creates namespaces, tables and views. */

import assert from 'node:assert/strict'

/** A client of a catalog. */
export interface IcebergClient {
  createNamespace(namespace: readonly string[], properties?: Record<string, string>): Promise<void>
  /** Creates a table from the body of the request, which holds its name and schema. */
  createTable(namespace: readonly string[], table: object): Promise<void>
  createView(namespace: readonly string[], view: object): Promise<void>
  /** Commits updates to a table. */
  updateTable(namespace: readonly string[], name: string, updates: object[]): Promise<void>
  dropTable(namespace: readonly string[], name: string): Promise<void>
}

/** Creates a client; `root` ends with `/v1`, or with `/v1/` and a prefix. */
export function newIcebergClient(root: string): IcebergClient {
  const send = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await fetch(`${root}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`)
  }
  return {
    createNamespace: (namespace, properties = {}) =>
      send('POST', 'namespaces', { namespace, properties }),
    createTable: (namespace, table) => send('POST', toPath(namespace, 'tables'), table),
    createView: (namespace, view) => send('POST', toPath(namespace, 'views'), view),
    updateTable: (namespace, name, updates) =>
      send('POST', toPath(namespace, 'tables', name), {
        identifier: { namespace, name },
        requirements: [],
        updates,
      }),
    dropTable: (namespace, name) => send('DELETE', toPath(namespace, 'tables', name)),
  }
}

function toPath(namespace: readonly string[], ...rest: string[]): string {
  return ['namespaces', namespace.join('\u001F'), ...rest].map(encodeURIComponent).join('/')
}

/** A table with a key, nested types, a partition and a comment. */
export const ORDERS = {
  name: 'orders',
  schema: {
    type: 'struct',
    'schema-id': 0,
    'identifier-field-ids': [1],
    fields: [
      { id: 1, name: 'id', type: 'long', required: true, doc: 'Key' },
      { id: 2, name: 'day', type: 'date', required: false },
      {
        id: 3,
        name: 'lines',
        required: false,
        type: {
          type: 'list',
          'element-id': 4,
          'element-required': true,
          element: {
            type: 'struct',
            fields: [
              { id: 5, name: 'sku', type: 'string', required: true, doc: 'Article' },
              { id: 6, name: 'amount', type: 'decimal(10, 2)', required: false },
            ],
          },
        },
      },
    ],
  },
  'partition-spec': {
    'spec-id': 0,
    fields: [{ 'source-id': 2, 'field-id': 1000, name: 'day_month', transform: 'month' }],
  },
  properties: { comment: 'One row per order' },
}

/** A table with one column. */
export const OLD = {
  name: 'old',
  schema: {
    type: 'struct',
    'schema-id': 0,
    fields: [{ id: 1, name: 'id', type: 'int', required: false }],
  },
}

/** Creates a view over `orders` in a namespace. */
export function newView(namespace: readonly string[]): object {
  return {
    name: 'big_orders',
    schema: OLD.schema,
    'view-version': {
      'version-id': 1,
      'timestamp-ms': 1_700_000_000_000,
      'schema-id': 0,
      summary: {},
      'default-namespace': namespace,
      representations: [{ type: 'sql', sql: 'SELECT id FROM orders', dialect: 'spark' }],
    },
    properties: { comment: 'Large ones' },
  }
}
