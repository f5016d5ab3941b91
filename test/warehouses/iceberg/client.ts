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
    createTable: (namespace, table) =>
      send('POST', toPath(namespace, 'tables'), { ...OPTIONAL_FIELDS, ...table }),
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

// Nessie requires what the protocol does not.
const OPTIONAL_FIELDS = {
  'stage-create': false,
  'partition-spec': { 'spec-id': 0, fields: [] },
  'write-order': { 'order-id': 0, fields: [] },
  properties: {},
}
