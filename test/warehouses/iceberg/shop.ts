/** A shop in an Iceberg REST catalog: nested namespaces with tables and a view. */

import { randomUUID } from 'node:crypto'
import type { SourceColumn } from '../../../server/connectors/connector.ts'
import type { Filters } from '../../../server/connectors/filter.ts'
import type { AssetChanges } from '../peer-promises.ts'
import type { IcebergClient } from './client.ts'

/** The shop of one test. */
export interface IcebergShop {
  /** The outer namespace; the tables are in `sales` below it. */
  top: string
  include: Filters['include']
  change(): Promise<AssetChanges>
}

/** Creates the shop with two tables, and a view if the catalog has views. */
export async function createIcebergShop(
  client: IcebergClient,
  { hasViews }: { hasViews: boolean },
): Promise<IcebergShop> {
  const top = `shop-${randomUUID()}`
  const sales = [top, 'sales']
  await client.createNamespace([top], { comment: 'Sold', owner: 'ann' })
  await client.createNamespace(sales)
  await client.createTable(sales, ORDERS)
  await client.createTable(sales, OLD)
  if (hasViews) await client.createView(sales, newView(sales))
  return {
    top,
    include: { namespace: [top, `${top}.*`] },
    async change() {
      await client.createTable(sales, { ...OLD, name: 'recent' })
      await client.updateTable(sales, 'orders', [
        { action: 'set-properties', updates: { comment: 'One row per sold bicycle' } },
      ])
      await client.dropTable(sales, 'old')
      const name = (table: string): string => [...sales, table].join('.')
      return { created: [name('recent')], updated: [name('orders')], deleted: [name('old')] }
    },
  }
}

const ELEMENT = 'struct<sku:string NOT NULL,amount:decimal(10,2)>'

/** The columns of `orders` as they are read. */
export const ORDERS_COLUMNS: readonly SourceColumn[] = [
  { name: 'id', type: 'long', required: true, description: 'Key' },
  { name: 'day', type: 'date' },
  {
    name: 'lines',
    type: `list<${ELEMENT}>`,
    items: {
      name: 'element',
      type: ELEMENT,
      required: true,
      properties: [
        { name: 'sku', type: 'string', required: true, description: 'Article' },
        { name: 'amount', type: 'decimal(10,2)' },
      ],
    },
  },
]

/** A table with a key, nested types, a partition and a comment. */
const ORDERS = {
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
const OLD = {
  name: 'old',
  schema: {
    type: 'struct',
    'schema-id': 0,
    fields: [{ id: 1, name: 'id', type: 'int', required: false }],
  },
}

/** Creates a view over `orders` in a namespace. */
function newView(namespace: readonly string[]): object {
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
