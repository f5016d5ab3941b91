/** Cases about the contents of a source. */

import assert from 'node:assert/strict'
import { Ajv2019 } from 'ajv/dist/2019.js'
import addFormats from 'ajv-formats'
import { draftContract } from '../../formats/asset/contract.ts'
import { buildAsset } from '../../formats/asset/read.ts'
import { readDataContract } from '../../formats/data-contract/read.ts'
import { readText } from '../../formats/text/text.ts'
import { getField, jsonText, type Value } from '../../formats/text/value.ts'
import type { SourceAsset } from '../../server/connectors/connector.ts'
import { createAssetId, toSeenAsset } from '../../server/ingestion/runs/asset-document.ts'
import odcs from '../../formats/standards/odcs-v3.2.0.schema.json' with { type: 'json' }
import type { WarehouseCase } from './case-source.ts'
import type { CaseSource } from './case-source.ts'

/** The number of columns that PostgreSQL allows, which other platforms exceed. */
const MANY_COLUMNS = 1600

const NAMES = ['a"b', "a'b", 'a`b', 'a.b', 'a b', 'ä 日本 🚲', 'A/b?c=d&e#f%2e', '\\', '__proto__']

/** The cases by their names. */
export const CONTENT_CASES: Readonly<Record<string, WarehouseCase>> = {
  'reads an empty source': async ({ server, read }) => {
    server.setContents({})
    const reading = await read()
    assert.deepEqual([reading.scopes, reading.assets, reading.unreadable], [[], [], []])
  },

  'reads an empty schema': async (source) => {
    source.server.setContents({ sales: [] })
    const reading = await source.read()
    assert.deepEqual(source.listTables(reading), [])
    assert.deepEqual(source.listComplete(reading), [source.name('sales')])
  },

  'applies the filters, and requests nothing of an excluded schema': async (source) => {
    const tables = ['orders', 'tmp_1'].map((name) => ({ name }))
    source.server.setContents({ sales: tables, secret: tables, other: tables })
    const { scopeLevel } = source.platform.connector.description
    const filters = {
      include: { [scopeLevel]: ['s*'] },
      exclude: { [scopeLevel]: ['secret'], table: ['tmp_*'] },
    }
    const reading = await source.read({ filters })
    assert.deepEqual(source.listTables(reading), [source.name('sales', 'orders')])
    assert.deepEqual(listDecisions(source, reading.scopes), {
      sales: 'included',
      secret: 'excluded',
      other: 'excluded',
    })
    const { tables: listing } = source.platform.requests
    assert.equal(source.proxy.count(listing), 1)
  },

  'leaves system schemas out': async (source) => {
    const { systemSchemas } = source.platform
    const system = systemSchemas.map((name) => [name, [{ name: 'tables' }]])
    source.server.setContents({ sales: [{ name: 'orders' }], ...Object.fromEntries(system) })
    const reading = await source.read()
    assert.deepEqual(source.listTables(reading), [source.name('sales', 'orders')])
    const excluded = Object.fromEntries(systemSchemas.map((name) => [name, 'excluded']))
    assert.deepEqual(listDecisions(source, reading.scopes), { sales: 'included', ...excluded })
  },

  'reads a table without columns': async (source) => {
    source.server.setContents({ sales: [{ name: 'none', columns: [] }] })
    const reading = await source.read()
    assert.deepEqual(source.getTable(reading, 'sales', 'none').columns, [])
  },

  [`reads ${MANY_COLUMNS} columns in their order`]: async (source) => {
    const columns = createColumns(MANY_COLUMNS)
    source.server.setContents({ sales: [{ name: 'many', columns }] })
    const table = source.getTable(await source.read(), 'sales', 'many')
    assert.deepEqual(
      table.columns?.map(({ name }) => name),
      columns.map(({ name }) => name),
    )
  },

  'keeps names with quotes, dots, spaces and other scripts': async (source) => {
    const tables = NAMES.map((name) => ({
      name,
      columns: NAMES.map((column) => ({ name: column })),
    }))
    source.server.setContents({ 'sa.le"s ä': tables })
    const reading = await source.read()
    for (const name of NAMES) {
      const { path, columns } = source.getTable(reading, 'sa.le"s ä', name)
      assert.deepEqual(path, source.platform.toPath('sa.le"s ä', name))
      assert.deepEqual(
        columns?.map((column) => column.name),
        NAMES,
      )
    }
    assert.equal(source.listTables(reading).length, NAMES.length)
  },

  'gives tables of the same name, or that differ only in case, different ids': async (source) => {
    const tables = ['orders', 'ORDERS', 'Orders'].map((name) => ({ name }))
    source.server.setContents({ sales: tables, Sales: tables, other: tables })
    const reading = await source.read()
    const origin = { integrationId: 'i', source: source.platform.connector.source }
    const ids = reading.assets.map(({ path }) => createAssetId(origin, path))
    assert.equal(source.listTables(reading).length, 9)
    assert.equal(new Set(ids).size, reading.assets.length)
  },

  'reads comments, and none where there is none': async (source) => {
    const columns = [{ name: 'id', comment: 'Key' }, { name: 'note' }]
    const tables = [
      { name: 'orders', comment: 'One row\nper order', columns },
      { name: 'plain', columns },
    ]
    source.server.setContents({ sales: tables })
    const reading = await source.read()
    const orders = source.getTable(reading, 'sales', 'orders')
    assert.equal(orders.description, 'One row\nper order')
    assert.deepEqual(
      orders.columns?.map(({ description }) => description),
      ['Key', undefined],
    )
    assert.ok(!('description' in source.getTable(reading, 'sales', 'plain')))
  },

  'reads the text of a view': async (source) => {
    const viewText = "select id, 'é' from orders"
    source.server.setContents({ sales: [{ name: 'orders' }, { name: 'recent', viewText }] })
    const reading = await source.read()
    const { kind, viewDefinition, columns } = source.getTable(reading, 'sales', 'recent')
    assert.deepEqual([kind, viewDefinition, columns?.length], ['view', viewText, 1])
    assert.ok(!('viewDefinition' in source.getTable(reading, 'sales', 'orders')))
  },

  'keeps an unknown type as its text': async (source) => {
    source.server.setContents({
      sales: [{ name: 'odd', columns: [{ name: 'a', type: 'hologram(7)' }] }],
    })
    const table = source.getTable(await source.read(), 'sales', 'odd')
    assert.deepEqual(table.columns, [{ name: 'a', type: 'hologram(7)' }])
  },

  'reads the same assets again': async (source) => {
    source.server.setContents({
      sales: [
        { name: 'orders', comment: 'One' },
        { name: 'recent', viewText: 'select 1' },
      ],
      other: [],
    })
    const [first, second] = [await source.read(), await source.read()]
    assert.deepEqual(second.assets, first.assets)
    assert.deepEqual(second.outcomes, first.outcomes)
    assert.equal(second.statements.length, first.statements.length)
  },

  'makes assets whose draft contracts are valid': async (source) => {
    const columns = [
      { name: 'id', comment: 'Key' },
      { name: 'odd', type: 'hologram(7)' },
    ]
    source.server.setContents({
      sales: [
        { name: 'orders', columns },
        { name: 'recent', viewText: 'select 1' },
      ],
    })
    const reading = await source.read()
    for (const name of ['orders', 'recent']) {
      assertDraftIsValid(source, source.getTable(reading, 'sales', name))
    }
  },
}

function createColumns(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, at) => ({ name: `column_${at}` }))
}

function listDecisions(
  { platform }: CaseSource,
  scopes: Awaited<ReturnType<CaseSource['read']>>['scopes'],
): Record<string, string> {
  const { scopeLevel } = platform.connector.description
  const schemas = scopes.filter(({ kind }) => kind === scopeLevel)
  return Object.fromEntries(schemas.map(({ path, decision }) => [path.at(-1) ?? '', decision]))
}

const ajv = new Ajv2019({ strict: false })
addFormats.default(ajv)
const validate = ajv.compile(odcs)

function assertDraftIsValid({ platform }: CaseSource, asset: SourceAsset): void {
  const { source } = platform.connector
  const { document, id } = toSeenAsset(asset, { integrationId: 'i', source })
  const value = JSON.parse(document) as Value
  const draft = draftContract(buildAsset(value, id), [value])
  assert.ok(validate(draft), JSON.stringify([validate.errors, draft]))
  const text = readText(jsonText(draft), 'application/json')
  assert.ok(text.ok)
  const contract = readDataContract(text, { id, strict: true })
  assert.ok(contract.ok, JSON.stringify(contract))
  assert.ok(getField(draft, 'servers') !== undefined)
}
