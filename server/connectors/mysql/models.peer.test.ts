import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { assetModel } from '../../../formats/asset/model.ts'
import type { Field, Model } from '../../../formats/schema/model.ts'
import type { Value } from '../../../formats/text/value.ts'
import { onMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource } from '../../../test/source-reading.ts'
import { MARIADB_SHOP, SHOP_TABLES } from '../../../test/two-dialects.ts'
import { toSeenAsset } from '../../ingestion/runs/asset-document.ts'
import type { SourceAsset } from '../connector.ts'
import { mariadb } from './connector.ts'

const DATABASE = `shop_${randomBytes(4).toString('hex')}`

/**
 * The expected models of the shop's tables: each field with its type, limits, key and reference.
 */
const EXPECTED: Record<(typeof SHOP_TABLES)[number], readonly string[]> = {
  'Odd "names".table': [
    'table',
    'a.b: integer int32 required key 1',
    'with space: string ≤ 10',
    'Größe: integer int32',
  ],
  category: [
    'table',
    'id: integer int32 required key 1',
    'parent_id: integer int32 → category.id',
    'name: string ≤ 50 required',
  ],
  customer: [
    `table Customers who bought something; it's never deleted`,
    'id: integer required key 1',
    'public_id: string uuid required unique',
    'name: string ≤ 200 required',
    'email: string ≤ 320 unique (Größe: at most 320)',
    'is_active: boolean required',
    'birthday: date',
    'profile: object json',
    // 4 GiB, which is not a meaningful limit.
    'photo: binary',
    'country: string ≤ 2 → region.country',
    'region_code: string ≤ 8 → region.code',
    'created_at: timestamp required',
  ],
  delivery: [
    'table',
    'id: integer required key 1',
    'order_id: integer → orders.id',
    'state: string required of ["new","sent","lost"]',
    'remark: string ≤ 65535',
  ],
  open_orders: [
    'view',
    'id: integer required',
    'reference: string ≤ 40 required',
    'total: number 14,2',
  ],
  order_line: [
    'table',
    'line_number: integer int32 required key 2',
    'order_id: integer required key 1 → orders.id',
    'sku: string ≤ 40 required → product.sku',
    'quantity: integer int32 required',
    'price: number 12,2 required',
    'amount: number 24,2',
  ],
  orders: [
    'table What was ordered',
    'id: integer required key 1',
    'customer_id: integer required → customer.id',
    'reference: string ≤ 40 required unique',
    'ordered_at: timestamp required',
    'total: number 14,2',
  ],
  product: [
    'table',
    'sku: string ≤ 40 required key 1',
    'title: string required',
    'price: number 12,2 required (In euros)',
    'weight: number float',
    'stock: integer int32 required',
    'shelf: integer int16',
    'opens_at: time',
    'updated_at: timestamp',
  ],
  region: [
    'table Where we deliver',
    'country: string ≤ 2 required key 1 (ISO 3166-1)',
    'code: string ≤ 8 required key 2',
    'name: string ≤ 100 required',
    'area: number double',
  ],
}

/** Types that the shop does not have, with the expected model of their columns. */
const TYPES: Readonly<Record<string, string>> = {
  'bit(3)': 'string bits ≤ 3',
  'tinyint(1)': 'boolean',
  'tinyint(4)': 'integer int8',
  'tinyint unsigned': 'integer uint8',
  mediumint: 'integer int24',
  'int(5) unsigned zerofill': 'integer uint32',
  'bigint unsigned': 'integer uint64',
  'decimal(5,3) unsigned': 'number 5,3',
  'year(4)': 'integer year',
  'binary(16)': 'binary ≤ 16',
  'varbinary(20)': 'binary ≤ 20',
  tinyblob: 'binary ≤ 255',
  mediumtext: 'string ≤ 16777215',
  tinytext: 'string ≤ 255',
  'datetime(3)': 'timestamp',
  "set('a','b')": 'string set',
  'varchar(7) collate latin1_bin': 'string ≤ 7',
  point: 'string point',
  geometry: 'string geometry',
}

onMariadb((server) => {
  let assets: readonly SourceAsset[] = []
  const names = Object.keys(TYPES)

  before(async () => {
    const columns = names.map((type, at) => `c${at} ${type}`)
    await server().execute(`create database ${DATABASE}; use ${DATABASE}; ${MARIADB_SHOP}
      create table of_types (${columns.join()})`)
    const { host, port, user, password } = server()
    const setup = newSetup({
      configuration: { host, port, user, ssl: 'off' },
      secrets: { password },
      filters: { include: { database: [DATABASE] }, exclude: {} },
    })
    assets = (await readSource(mariadb, setup)).assets
  })

  const findModel = (table: string): Model => {
    const asset = assets.find(({ path }) => path[1] === table)
    assert.ok(asset !== undefined)
    const { document } = toSeenAsset(asset, { integrationId: 'x', source: 'mariadb' })
    return assetModel(JSON.parse(document) as Value)
  }

  for (const table of SHOP_TABLES) {
    test(`model › ${table} of the shop`, () => {
      const model = findModel(table)
      const head = [model.kind, model.description].filter((text) => text !== undefined).join(' ')
      assert.deepEqual([head, ...model.fields.map(summarize)], EXPECTED[table])
    })
  }

  test('model › the other types of MariaDB', () => {
    const fields = findModel('of_types').fields.map(summarize)
    assert.deepEqual(
      Object.fromEntries(fields.map((text, at) => [names[at], text.replace(/^\w+: /, '')])),
      TYPES,
    )
  })
})

function summarize(field: Field): string {
  const { name, logicalType, format, maxLength, precision, scale } = field
  const words = [
    `${name}: ${logicalType}`,
    format,
    maxLength === undefined ? undefined : `≤ ${maxLength}`,
    precision === undefined ? undefined : `${precision},${scale}`,
    field.required ? 'required' : undefined,
    field.unique ? 'unique' : undefined,
    field.primaryKeyPosition === undefined ? undefined : `key ${field.primaryKeyPosition}`,
    field.enum === undefined ? undefined : `of ${JSON.stringify(field.enum)}`,
    field.description === undefined ? undefined : `(${field.description})`,
    ...field.references.map((reference) => `→ ${reference}`),
  ]
  return words.filter((word) => word !== undefined).join(' ')
}
