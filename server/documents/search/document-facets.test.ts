import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, expectOk, newProduct, newWorld, odcs, odps, type World } from '../../../test/world.ts'
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

  const putMesh = async (): Promise<void> => {
    await put('dataproducts/one', withFields('one', { size: 'large', region: ['eu', 'us'] }))
    await put('dataproducts/two', withFields('two', { size: 'large', region: 'eu', gold: true }))
    await put('dataproducts/three', {
      ...dps('three'),
      tags: ['mesh'],
      custom: { size: 'small', gold: 2 },
    })
    await put('dataproducts/four', odps('four', { tags: ['mesh'] }))
    await put(
      'datacontracts/c',
      odcs('c', { customProperties: [{ property: 'size', value: 'large' }] }),
    )
  }
  const countTags = async (query: string): Promise<unknown[]> =>
    ((await find(query)).facets?.tag ?? []).map(({ value, count }) => [value, count])
  const custom = async (query: string): Promise<unknown> =>
    (await find(query)).facets?.custom.map(({ field, values }) => [
      field,
      values.map(({ value, count }) => [value, count]),
    ])

  test('GET /api/search › filters data products by custom fields: values are alternatives, fields are not', async () => {
    await putMesh()
    for (const query of ['', 'query=mesh&']) {
      assert.deepEqual(await ids(`${query}custom=size%3Dlarge`), ['one', 'two'])
      assert.deepEqual(await ids(`${query}custom=region%3Dus&custom=region%3Dasia`), ['one'])
      assert.deepEqual(await ids(`${query}custom=size%3Dlarge&custom=gold%3Dtrue`), ['two'])
      assert.deepEqual((await find(`${query}custom=size%3Dlarge`)).total, 2)
    }
    assert.deepEqual(await ids('custom=size%3Dsmall&resourceType=DATA_CONTRACT'), [])
    assert.deepEqual(await ids('custom=gold%3D2'), ['three'])
    assert.deepEqual(await ids('custom=size%3D%25'), [])
  })

  test('GET /api/search › counts the values of custom fields under the other filters', async () => {
    await putMesh()
    const all = [
      [
        'size',
        [
          ['large', 2],
          ['small', 1],
        ],
      ],
      [
        'region',
        [
          ['eu', 2],
          ['us', 1],
        ],
      ],
    ]
    assert.deepEqual(await custom('customField=size&customField=region'), all)
    assert.deepEqual(await custom('query=mesh&customField=size&customField=region'), all)
    for (const query of ['', 'query=mesh&']) {
      const filtered = `${query}custom=size%3Dsmall&customField=region`
      assert.deepEqual(await custom(filtered), [
        ['region', []],
        [
          'size',
          [
            ['small', 1],
            ['large', 2],
          ],
        ],
      ])
      const { facets, total } = await find(filtered)
      assert.equal(total, 1)
      assert.deepEqual(
        facets?.format.map(({ value, count }) => [value, count]),
        [['dps', 1]],
      )
    }
    assert.deepEqual(await custom('custom=size%3Dhuge'), [
      [
        'size',
        [
          ['large', 2],
          ['small', 1],
          ['huge', 0],
        ],
      ],
    ])
    const everything = await find('customField=size')
    assert.deepEqual({ ...everything.facets, custom: [] }, (await find('')).facets)
    assert.equal(everything.total, (await find('')).total)
  })

  test('GET /api/search › counts the tags that are asked for, in addition to the 20 most frequent ones', async () => {
    const tags = Array.from({ length: 21 }, (_, at) => `t${at}`)
    await put('dataproducts/one', odps('one', { tags }))
    await put('dataproducts/two', odps('two', { tags }))
    await put('dataproducts/rare', odps('rare', { tags: ['rare'] }))
    const usual = await countTags('')
    assert.equal(usual.length, 20)
    assert.deepEqual(await countTags('countTag=rare&countTag=unused'), [...usual, ['rare', 1]])
    assert.deepEqual(await countTags('countTag=t0&query=two'), await countTags('query=two'))
    const many = Array.from({ length: 101 }, (_, at) => `countTag=${at}`).join('&')
    await expectProblem(world.as('O', 'GET', `/api/search?${many}`), 400)
  })

  test('GET /api/search › a changed custom field is found by its new value only', async () => {
    await put('dataproducts/one', withFields('one', { size: 'large' }))
    await put('dataproducts/one', withFields('one', { size: 'small' }))
    assert.deepEqual(await ids('custom=size%3Dlarge'), [])
    assert.deepEqual(await ids('custom=size%3Dsmall'), ['one'])
  })

  test('GET /api/search › 400 for a custom filter without a name or a value, and for too many fields', async () => {
    for (const query of ['custom=size', 'custom=%3Dlarge', 'custom=size%3D']) {
      await expectProblem(world.as('O', 'GET', `/api/search?${query}`), 400)
    }
    const fields = Array.from({ length: 21 }, (_, at) => `customField=f${at}`).join('&')
    await expectProblem(world.as('O', 'GET', `/api/search?${fields}`), 400)
  })
})

function withFields(id: string, fields: Record<string, unknown>): object {
  const customProperties = Object.entries(fields).map(([property, value]) => ({ property, value }))
  return odps(id, { tags: ['mesh'], customProperties })
}
