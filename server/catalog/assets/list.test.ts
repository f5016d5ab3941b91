import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addIntegration, ingest, markGone, sourceTable } from '../../../test/ingested-assets.ts'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'

interface Listed {
  id: string
  info: { name: string; owner?: string; status?: string }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = async (id: string, info: object): Promise<void> => {
    const body = { id, info: { name: id, ...info } }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body }))
  }

  const listIds = async (query: string): Promise<string[]> => {
    const assets = await readJson<Listed[]>(world.as('Or', 'GET', `/api/assets${query}`))
    return assets.map(({ id }) => id)
  }

  const annotate = (id: string, body: object): Promise<Response> =>
    expectOk(world.asPerson('Uo', 'PUT', `/ui/assets/${id}/annotation`, { body }))

  test('GET /api/assets › filters by words, source and the owner from document, annotation or integration', async () => {
    const word = `w${uniqueId()}`
    const source = `s${uniqueId()}`
    const team = `t${uniqueId()}`
    await expectOk(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: `Team ${team}` } }))
    await put(`1-${word}`, { source, owner: team })
    await put(`2-${uniqueId()}`, { source, description: `Über ${word.toUpperCase()}-x` })
    const integration = await addIntegration(world, { owner: team, source })
    const tables = ['x', 'y', 'z'].map((name) => sourceTable([word, 'public', name]))
    const [x = '', y = '', z = ''] = await ingest(world, integration, tables, source)
    await annotate(y, { owner: 'b' })
    await markGone(world, z)

    const all = await listIds(`?source=${source}`)
    assert.equal(all.length, 4)
    assert.deepEqual(all.slice(2).toSorted(), [x, y].toSorted())
    assert.deepEqual(await listIds(`?source=${source}&q=${word.slice(0, 8)}%20`), all)
    assert.deepEqual(await listIds(`?q=${word}%20uber`), [all[1]])
    assert.deepEqual(await listIds(`?q=${word}&source=other`), [])
    assert.deepEqual(await listIds(`?q=--`), [])
    assert.deepEqual(await listIds(`?owner=${team}`), [`1-${word}`, x])
    assert.deepEqual(await listIds(`?owner=TEAM+${team.toUpperCase()}`), [`1-${word}`, x])
    assert.deepEqual(await listIds(`?owner=b&source=${source}`), [y])
    assert.deepEqual(await listIds(`?owner=${uniqueId()}`), [])
    await annotate(x, { owner: team })
    assert.deepEqual(await listIds(`?owner=${team}`), [`1-${word}`, x])
    await annotate(y, {})
    assert.equal((await listIds(`?owner=${team}`)).length, 3)
  })

  test('GET /api/assets › shows ingested assets with their annotations', async () => {
    const integration = await addIntegration(world, { owner: 'a' })
    const name = uniqueId()
    const [id = ''] = await ingest(world, integration, [sourceTable(['d', 'public', name])])
    await annotate(id, { description: 'Written by people', tags: ['x'] })
    const [listed] = await readJson<object[]>(world.as('Or', 'GET', `/api/assets?q=${name}`))
    assert.deepEqual(listed, await readJson(world.as('Or', 'GET', `/api/assets/${id}`)))
  })

  test('GET /api/assets › returns 1000 per page sorted by creation, and a link to the next', async () => {
    const source = `s${uniqueId()}`
    const integration = await addIntegration(world, { source })
    const tables = Array.from({ length: 1001 }, (_, at) => sourceTable(['d', 'public', `t${at}`]))
    const ids = await ingest(world, integration, tables, source)
    const first = await world.as('Or', 'GET', `/api/assets?source=${source}`)
    const link = `</api/assets?source=${source}&p=1>; rel="next"`
    assert.equal(first.headers.get('link'), link)
    const page = (await first.json()) as Listed[]
    assert.equal(page.length, 1000)
    const second = await world.as('Or', 'GET', `/api/assets?source=${source}&p=1`)
    assert.equal(second.headers.get('link'), null)
    const seen = [...page, ...((await second.json()) as Listed[])].map(({ id }) => id)
    assert.deepEqual(seen, ids.toSorted())
    assert.deepEqual(await listIds(`?source=${source}&p=2`), [])
    for (const p of ['-1', 'x', '1.5', '']) {
      await expectProblem(world.as('Or', 'GET', `/api/assets?p=${p}`), 400)
    }
  })
})
