import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { fixedClock } from '../../platform/kit/clock.ts'
import type { VersionSummary } from './revision.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const KINDS: Record<string, (id: string, name: string) => object> = {
    '/api/dataproducts': (id, name) => odps(id, { name }),
    '/api/teams': (id, name) => ({ id, name, type: 'Team' }),
  }

  const put = (path: string, body: object): Promise<Response> =>
    expectOk(world.as('O', 'PUT', path, { body }))

  for (const [base, document] of Object.entries(KINDS)) {
    test(`GET ${base}/{id}/versions › newest first, each ending where the next begins`, async () => {
      const id = uniqueId()
      const path = `${base}/${id}`
      const etags: (string | null)[] = []
      for (const name of ['one', 'two', 'three']) {
        etags.push((await put(path, document(id, name))).headers.get('etag'))
      }
      const versions = await readJson<VersionSummary[]>(world.as('Tr', 'GET', `${path}/versions`))
      assert.deepEqual(
        versions.map(({ version }) => version),
        [3, 2, 1],
      )
      assert.deepEqual(
        versions.map(({ digest }) => `"${digest}"`),
        etags.toReversed(),
      )
      for (const [index, version] of versions.entries()) {
        const keys = ['digest', 'level', 'principal', 'validFrom', 'validTo', 'version']
        assert.deepEqual(Object.keys(version).toSorted(), keys)
        assert.match(version.validFrom, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/)
        assert.match(version.principal, /^api-key:[0-9a-f-]{36}$/)
        assert.equal(version.validTo, index === 0 ? null : versions[index - 1]?.validFrom)
      }
      assert.deepEqual(
        versions.map(({ level }) => level),
        ['wording', 'wording', 'none'],
      )
    })

    test(`GET ${base}/{id}/versions/{version} › the document of that version, byte for byte`, async () => {
      const id = uniqueId()
      const path = `${base}/${id}`
      const texts = await Promise.all(
        ['one', 'two'].map(async (name) => (await put(path, document(id, name))).text()),
      )
      assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/1`)), texts[0])
      assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/2`)), texts[1])
    })

    test(`GET ${base}/{id}/versions/{version} › 404 for a segment that is not a version`, async () => {
      const id = uniqueId()
      const path = `${base}/${id}/versions`
      await put(`${base}/${id}`, document(id, 'one'))
      for (const version of [
        '0',
        '2',
        '-1',
        'x',
        '1.0',
        '01',
        '+1',
        '1e0',
        '%31%20',
        '1000000000000',
        '2147483648',
        'latest',
        '__proto__',
      ]) {
        await expectProblem(world.as('Tr', 'GET', `${path}/${version}`), 404)
      }
      await readText(world.as('Tr', 'GET', `${path}/%31`))
      await expectProblem(world.as('Tr', 'GET', `${base}/${uniqueId()}/versions/1`), 404)
    })

    test(`GET ${base}/{id}/versions › 404 for an unknown id, [] past the end, 400 for a bad page`, async () => {
      const id = uniqueId()
      await put(`${base}/${id}`, document(id, 'one'))
      const ask = (of: string, query: string) =>
        world.as('Tr', 'GET', `${base}/${of}/versions${query}`)
      await expectProblem(ask(uniqueId(), ''), 404)
      await expectProblem(ask(uniqueId(), '?p=1'), 404)
      assert.equal(await readText(ask(id, '?p=1')), '[]')
      for (const page of ['-1', 'x', '1.5', '']) await expectProblem(ask(id, `?p=${page}`), 400)
    })

    test(`GET ${base}/{id}?asOf= › before, between, at the very instant, after deletion, re-created`, async () => {
      const id = uniqueId()
      const path = `${base}/${id}`
      const at = (instant: string) => {
        const product = newProduct(store(), { clock: fixedClock(instant) })
        return (method: string, body?: object) =>
          expectOk(product.call(method, path, { key: world.keys.O, body }))
      }
      await at('2020-01-01T00:00:00Z')('PUT', document(id, 'one'))
      await at('2020-01-02T00:00:00.000001Z')('PUT', document(id, 'two'))
      await at('2020-01-03T00:00:00Z')('DELETE')
      await at('2020-01-04T00:00:00Z')('PUT', document(id, 'three'))
      const expected: Record<string, string | undefined> = {
        '0001-01-01T00:00:00Z': undefined,
        '2019-12-31T23:59:59.999999Z': undefined,
        '2020-01-01T00:00:00Z': 'one',
        '2020-01-01T01:00:00%2B01:00': 'one',
        '2020-01-02T00:00:00Z': 'one',
        '2020-01-02T00:00:00.000000999Z': 'one',
        '2020-01-02T00:00:00.000001Z': 'two',
        '2020-01-02T23:59:59.999999Z': 'two',
        '2020-01-03T00:00:00Z': undefined,
        '2020-01-03T12:00:00Z': undefined,
        '2020-01-03T23:59:59.999999999Z': undefined,
        '2020-01-04T00:00:00Z': 'three',
        '9999-12-31T23:59:59Z': 'three',
      }
      for (const [instant, name] of Object.entries(expected)) {
        const one = world.as('Tr', 'GET', `${path}?asOf=${instant}`)
        if (name === undefined) await expectProblem(one, 404)
        else assert.equal((await readJson<{ name: string }>(one)).name, name, instant)
        const list = await readJson<{ id: string; name: string }[]>(
          world.as('Tr', 'GET', `${base}?asOf=${instant}`),
        )
        assert.equal(list.find((document) => document.id === id)?.name, name, `list ${instant}`)
      }
      for (const bad of [
        '',
        'now',
        '2020-01-01',
        '2020-02-30T00:00:00Z',
        '10000-01-01T00:00:00Z',
      ]) {
        await expectProblem(world.as('Tr', 'GET', `${path}?asOf=${bad}`), 400)
      }
    })
  }

  test('PUT /api/dataproducts/{id} › versions are in order even if the clock stops or goes back', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    for (const [instant, method, name] of [
      ['2021-01-01T00:00:00Z', 'PUT', 'one'],
      ['2021-01-01T00:00:00Z', 'PUT', 'two'],
      ['2020-06-01T00:00:00Z', 'PUT', 'three'],
      ['2020-06-01T00:00:00Z', 'DELETE', ''],
      ['2020-01-01T00:00:00Z', 'PUT', 'four'],
    ] as const) {
      const product = newProduct(store(), { clock: fixedClock(instant) })
      const body = method === 'PUT' ? odps(id, { name }) : undefined
      await expectOk(product.call(method, path, { key: world.keys.O, body }))
    }
    const versions = await readJson<VersionSummary[]>(world.as('Tr', 'GET', `${path}/versions`))
    for (const { version, validFrom, validTo } of versions.slice(1)) {
      const later = versions.find((other) => other.version === version + 1)
      assert.ok(later && validTo !== null)
      assert.equal(Temporal.Instant.compare(validFrom, validTo), -1)
      assert.ok(
        Temporal.Instant.compare(validTo, later.validFrom) <= 0,
        'a version began before the end of the former',
      )
    }
  })

  test('GET /api/dataproducts/{id}?asOf= › in the form that was asked for', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const yaml = `# kept\nkind: DataProduct\nname: X\nteam: {name: a}\n`
    await expectOk(world.as('O', 'PUT', path, { yaml }))
    const later = `${path}?asOf=2999-01-01T00:00:00Z`
    assert.equal(
      await readText(world.as('O', 'GET', later)),
      '{"kind":"DataProduct","name":"X","team":{"name":"a"}}',
    )
    const headers = { accept: 'application/yaml' }
    assert.equal(await readText(world.as('O', 'GET', later, { headers })), yaml)
    assert.equal(await readText(world.as('O', 'GET', `${path}/versions/1`, { headers })), yaml)
  })

  test('GET /api/dataproducts?asOf= › by the owner of that time', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const ownedBy = async (instant: string, name: string) => {
      const product = newProduct(store(), { clock: fixedClock(instant) })
      await expectOk(
        product.call('PUT', path, { key: world.keys.O, body: odps(id, { team: { name } }) }),
      )
    }
    await ownedBy('2022-01-01T00:00:00Z', 'a')
    await ownedBy('2022-02-01T00:00:00Z', 'b')
    const count = async (team: string, instant: string): Promise<number> => {
      const query = `q=${id}&teamId=${team}&asOf=${instant}`
      return (await readJson<unknown[]>(world.as('Tr', 'GET', `/api/dataproducts?${query}`))).length
    }
    assert.deepEqual(
      [await count('a', '2022-01-15T00:00:00Z'), await count('b', '2022-01-15T00:00:00Z')],
      [1, 0],
    )
    assert.deepEqual(
      [await count('a', '2022-02-15T00:00:00Z'), await count('b', '2022-02-15T00:00:00Z')],
      [0, 1],
    )
  })
})
