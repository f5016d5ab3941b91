import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../test/world.ts'
import type { SearchAnswer } from './search.ts'

onStore((store) => {
  let world: World
  beforeEach(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = async (path: string, body: object): Promise<void> => {
    await expectOk(world.as('O', 'PUT', `/api/${path}`, { body }))
  }
  const find = async (query: string): Promise<SearchAnswer> =>
    await readJson<SearchAnswer>(world.as('O', 'GET', `/api/search?${query}`))
  const ids = async (query: string): Promise<string[]> =>
    (await find(query)).results.map(({ id }) => id)

  test('GET /api/search › filters by format, and finds what is left in an old one', async () => {
    await put('dataproducts/old', dps('old'))
    await put('dataproducts/new', odps('new'))
    await put('assets/asset', { info: { name: 'asset', type: 'dps' } })
    assert.deepEqual(await ids('format=dps'), ['old'])
    const { facets } = await find('format=dps')
    assert.deepEqual(facets?.format, [
      { value: 'dps', label: 'DPS (deprecated)', count: 1 },
      { value: 'odps', label: 'ODPS', count: 1 },
    ])
  })

  test('GET /api/search › filters by the classification of a field, and finds it by that word', async () => {
    const properties = [
      { name: 'iban', logicalType: 'string', classification: 'personal' },
      { name: 'sum', logicalType: 'string', classification: 'internal' },
    ]
    const schema = [{ name: 'payments', properties }]
    await put('datacontracts/payments', odcs('payments', { schema }))
    await put('datacontracts/weather', odcs('weather'))
    const columns = [{ name: 'email', type: 'text', classification: 'personal' }]
    await put('assets/people', { info: { name: 'people', type: 't' }, columns })
    assert.deepEqual(await ids('classification=personal'), ['payments', 'people'])
    assert.deepEqual(await ids('query=personal'), ['payments', 'people'])
    assert.deepEqual((await find('')).facets?.classification, [
      { value: 'personal', label: 'personal', count: 2 },
      { value: 'internal', label: 'internal', count: 1 },
    ])
  })
})
