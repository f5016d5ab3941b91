import assert from 'node:assert/strict'
import test from 'node:test'
import { readInfo } from './asset-document.ts'

test('readInfo › reads what the page shows', () => {
  const info = readInfo({
    info: { description: 'All orders', owner: 'sales', source: 'postgres' },
    tags: ['gold'],
    columns: [{ name: 'id' }, { name: 'at' }],
    links: { wiki: 'https://wiki.example/orders' },
    properties: { partitions: 12, isCold: false, nested: {} },
  })
  assert.equal(info.description, 'All orders')
  assert.equal(info.ownerId, 'sales')
  assert.deepEqual(info.tags, ['gold'])
  assert.equal(info.columnCount, 2)
  assert.deepEqual(info.links, [['wiki', 'https://wiki.example/orders']])
  assert.deepEqual(info.properties, [
    ['partitions', '12'],
    ['isCold', 'false'],
  ])
})

test('readInfo › leaves out what has another shape', () => {
  for (const document of [
    {},
    { info: null, tags: 'gold', columns: {}, links: [], properties: null },
    { info: { description: ' ', owner: 7 }, tags: [1, null] },
  ]) {
    const info = readInfo(document)
    assert.equal(info.description, undefined)
    assert.equal(info.ownerId, undefined)
    assert.deepEqual(info.tags, [])
    assert.equal(info.columnCount, 0)
    assert.deepEqual([...info.links, ...info.properties], [])
  }
})
