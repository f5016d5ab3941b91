import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAsset } from '../../../formats/asset/read.ts'
import { readStored } from '../../requests/http/document.ts'
import { toSeenAsset } from './asset-document.ts'
import type { SourceAsset } from '../../connectors/connector.ts'

const ORIGIN = { integrationId: '01994ddd-0000-7000-8000-000000000000', source: 'postgres' }
const TABLE: SourceAsset = {
  kind: 'table',
  path: ['shop', 'public', 'a'],
  scope: ['shop', 'public'],
}

function createDocument(asset: Partial<SourceAsset>): Record<string, Record<string, unknown>> {
  const { document } = toSeenAsset({ ...TABLE, ...asset }, ORIGIN)
  return JSON.parse(document) as Record<string, Record<string, unknown>>
}

test('toSeenAsset › the document contains unique keys and the dependencies of a view', () => {
  const viewDependencies = [
    { references: ['shop', 'public', 'orders'], sourceId: '1.2', columns: ['id'] },
    { references: ['shop', 'public', 'event'], sourceId: '1.3' },
  ]
  const { custom } = createDocument({ uniqueKeys: [['a', 'b']], viewDependencies })
  assert.deepEqual(custom, { uniqueKeys: [['a', 'b']], viewDependencies })
})

test('toSeenAsset › the document contains the base type of a column, and is readable', () => {
  const columns = [
    { name: 'price', type: 'public.price', baseType: 'numeric(10,2)' },
    { name: 'mood', type: 'public.mood', enumValues: ['sad', 'ok'], default: `'ok'` },
  ]
  const { id, document } = toSeenAsset({ ...TABLE, columns }, ORIGIN)
  const parsed = JSON.parse(document) as { columns: { custom: object }[] }
  assert.deepEqual(
    parsed.columns.map(({ custom }) => custom),
    [{ baseType: 'numeric(10,2)' }, { default: `'ok'`, enumValues: ['sad', 'ok'] }],
  )
  const stored = JSON.stringify({ id, ...parsed })
  const source = readStored({ document: stored, mediaType: 'application/json' })
  assert.ok(readAsset(source, { id, strict: true, isAccepted: true }).ok)
})

test('toSeenAsset › the server of an id is part of the identity but not of the document', () => {
  const one = toSeenAsset({ ...TABLE, sourceId: '1.2', sourceIdScope: '77' }, ORIGIN)
  const other = toSeenAsset({ ...TABLE, sourceId: '1.2', sourceIdScope: '78' }, ORIGIN)
  assert.deepEqual([one.sourceId, other.sourceId], ['77/1.2', '78/1.2'])
  assert.equal(one.document, other.document)
  assert.equal(one.digest, other.digest)
  assert.equal(
    createDocument({ sourceId: '1.2', sourceIdScope: '77' })['info']?.['sourceId'],
    '1.2',
  )
})

test('toSeenAsset › the product that holds an asset is the prefix of its type, not its source', () => {
  const seen = toSeenAsset({ ...TABLE, platform: 'redshift' }, ORIGIN)
  assert.deepEqual([seen.type, seen.id.split('-')[0]], ['redshift_table', 'postgres'])
  const { info } = createDocument({ platform: 'redshift' })
  assert.deepEqual([info?.['type'], info?.['source']], ['redshift_table', 'postgres'])
  assert.equal(seen.id, toSeenAsset(TABLE, ORIGIN).id)
})

test('toSeenAsset › truncates the definition of a view to 64 KiB and marks it', () => {
  const whole = createDocument({ viewDefinition: 'x'.repeat(65_536) })['custom']
  assert.deepEqual(whole, { viewDefinition: 'x'.repeat(65_536) })
  const cut = createDocument({ viewDefinition: 'x'.repeat(65_537) })['custom']
  assert.deepEqual(cut, { viewDefinition: 'x'.repeat(65_536), viewDefinitionCut: true })
})
