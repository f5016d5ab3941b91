import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore, onServer } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { openDatabase } from '../../platform/kit/database.ts'
import { migrate } from '../../platform/kit/migrate.ts'
import { MIGRATIONS } from '../../store.ts'
import type { Tables } from '../../platform/tables.ts'

const LIMITS = {
  connectionsMax: 2,
  connectTimeoutMs: 30_000,
  queryTimeoutMs: 30_000,
}

interface Listed {
  id: string
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getIds = async (query: string): Promise<string[]> => {
    const teams = await readJson<Listed[]>(world.as('Tr', 'GET', `/api/teams${query}`))
    return teams.map(({ id }) => id)
  }

  test('GET /api/teams › in the order of creation, which an update does not change', async () => {
    const [first, second] = [`z-${uniqueId()}`, `a-${uniqueId()}`]
    await putTeam(world, first)
    await putTeam(world, second)
    await putTeam(world, first, { description: 'changed' })
    assert.deepEqual((await getIds('')).slice(0, 2), ['a', 'b'])
    assert.deepEqual((await getIds('')).slice(-2), [first, second])
  })

  test('GET /api/teams › whole documents, as JSON', async () => {
    const id = uniqueId()
    const yaml = `name: N\ncustom: {big: 12345678901234567890}\n`
    await readText(world.as('O', 'PUT', `/api/teams/${id}`, { yaml }))
    const answer = await world.as('Tr', 'GET', '/api/teams')
    assert.equal(answer.headers.get('content-type'), 'application/json')
    const stored = `{"id":"${id}","name":"N","type":"Team","custom":{"big":12345678901234567890}}`
    assert.ok((await answer.text()).endsWith(`,${stored}]`))
  })

  for (const [what, address] of [
    ['plain', 'anna@example.test'],
    ['not ASCII', 'jörg.ÅSE@example.test'],
    ['no address at all', 'anyone & co'],
  ] as const) {
    test(`GET /api/teams?email= › direct members in any letter case: ${what}`, async () => {
      const [top, low, other] = [uniqueId(), uniqueId(), uniqueId()]
      const email = `${top}${address}`
      await putTeam(world, top, { members: [{ emailAddress: email.toUpperCase(), role: 'Owner' }] })
      await putTeam(world, low, { parent: top })
      await putTeam(world, other, { members: [{ emailAddress: email }, { emailAddress: email }] })
      for (const asked of [email, email.toUpperCase(), email.toLowerCase()]) {
        assert.deepEqual(await getIds(`?email=${encodeURIComponent(asked)}`), [top, other])
      }
      const now = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
      const asOf = `?email=${encodeURIComponent(email.toUpperCase())}&asOf=${now}`
      assert.deepEqual(await getIds(asOf), [top, other])
      assert.deepEqual(await getIds(`?email=${encodeURIComponent(email.slice(0, -1))}`), [])
    })
  }

  test('GET /api/teams › [] for an unknown person, and for text that looks like a pattern', async () => {
    for (const email of ['', '%25', '_', `'`, 'unknown@example.test', 'x'.repeat(5000)]) {
      assert.deepEqual(await getIds(`?email=${email}`), [])
    }
  })

  for (const query of [
    'p=-1',
    'p=x',
    'p=1.5',
    'p=',
    'p=1e3',
    'p=%201',
    'p=0&p=1',
    'asOf=yesterday',
    'asOf=2026-02-30T00:00:00Z',
    'email=a&email=b',
    'email=%00',
  ]) {
    test(`GET /api/teams?${query} › 400`, async () => {
      const answer = await expectProblem(world.as('Tr', 'GET', `/api/teams?${query}`), 400)
      assert.equal(answer.violations?.[0]?.field, query.split('=')[0])
    })
  }

  test('GET /api/teams › past the end 200 []', async () => {
    for (const page of ['1', '007', '9'.repeat(30)]) {
      const answer = await world.as('Tr', 'GET', `/api/teams?p=${page}`)
      assert.equal(answer.headers.get('link'), null)
      assert.deepEqual(await answer.json(), [])
    }
  })

  test('GET /api/teams?unknown= › 400 with the names of the filters', async () => {
    await expectProblem(
      world.as('Tr', 'GET', '/api/teams?unknown=1'),
      400,
      /^The query parameter unknown is unknown; use one of p, email, asOf\.$/,
    )
  })

  test('GET /api/teams › 1001 teams are two pages, linked by rel="next"', async () => {
    const big = await newWorld(newProduct(store()))
    // A thousand PUTs would take most of this file's time: one team is copied instead.
    for (const copied of [
      sql`insert into team
        select (jsonb_populate_record(team, jsonb_build_object(
          'id', gen_random_uuid(), 'external_id', 't' || n, 'created_at', clock_timestamp()))).*
        from team, generate_series(1, 998) as n
        where organization_id = ${big.organizationId} and external_id = 'b'`,
      sql`insert into revision
        select (jsonb_populate_record(revision, jsonb_build_object('external_id', 't' || n))).*
        from revision, generate_series(1, 998) as n
        where organization_id = ${big.organizationId} and kind = 'team' and external_id = 'b'`,
    ]) {
      await copied.execute(big.services.db)
    }
    const page = async (path: string): Promise<{ link: string | null; teams: string[] }> => {
      const answer = await big.as('O', 'GET', path)
      const teams = (await answer.json()) as object[]
      return { link: answer.headers.get('link'), teams: teams.map((team) => JSON.stringify(team)) }
    }
    const thousand = await page('/api/teams')
    assert.equal(thousand.teams.length, 1000)
    assert.equal(thousand.link, null)
    await putTeam(big, 'last')
    const first = await page('/api/teams?pageSize=%26')
    assert.deepEqual(first.teams, thousand.teams)
    assert.equal(first.link, '</api/teams?pageSize=%26&p=1>; rel="next"')
    const second = await page('/api/teams?pageSize=%26&p=1')
    assert.deepEqual(second, { link: null, teams: ['{"id":"last","name":"last","type":"Team"}'] })
    const asOf = encodeURIComponent(new Date(Date.now() + 60_000).toISOString())
    const then = await page(`/api/teams?asOf=${asOf}`)
    assert.equal(then.teams.length, 1000)
    assert.equal(then.link, `</api/teams?asOf=${asOf}&p=1>; rel="next"`)
    const rest = await page(`/api/teams?asOf=${asOf}&p=1`)
    assert.equal(rest.teams.length, 1)
    assert.equal(rest.link, null)
  })
})

test('GET /api/teams?email= › any letter case of any script, with any locale of the database', async () => {
  const server = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
  const name = `locale_${uniqueId()}`
  await onServer(server, `create database ${name} template template0 encoding 'UTF8' locale 'C'`)
  const url = new URL(server)
  url.pathname = name
  const connection = { connectionString: url.href }
  await migrate(connection, MIGRATIONS)
  const database = openDatabase<Tables>(connection, LIMITS, () => undefined)
  try {
    const world = await newWorld(newProduct({ ...database, connection, isDiskFull: () => false }))
    const members = [{ emailAddress: 'Jörg.ÅSE@example.test' }]
    await putTeam(world, 'nordic', { members })
    for (const more of ['', '&asOf=2999-01-01T00:00:00Z']) {
      const path = `/api/teams?email=${encodeURIComponent('JÖRG.åse@EXAMPLE.test')}${more}`
      const teams = await readJson<Listed[]>(world.as('O', 'GET', path))
      assert.deepEqual(
        teams.map(({ id }) => id),
        ['nordic'],
      )
    }
  } finally {
    await database.close()
    await onServer(server, `drop database ${name} with (force)`)
  }
})

async function putTeam(of: World, id: string, more: object = {}): Promise<void> {
  await readText(of.as('O', 'PUT', `/api/teams/${id}`, { body: { name: id, ...more } }))
}
