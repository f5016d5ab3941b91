import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { addIntegration, ingest, markGone, sourceTable } from '../../test/ingested-assets.ts'
import { onStore } from '../../test/stores.ts'
import { dcs, dps, expectOk, newProduct, newWorld, odcs, odps } from '../../test/world.ts'
import { withSession, type PersonName, type World } from '../../test/world.ts'
import { fixedClock } from '../kit/clock.ts'
import { startSession } from '../users/service.ts'
import { FIRST_PRODUCTS_MAX, GROUPS_MAX, type Attention } from './home.ts'
import type { FirstSteps, Home } from './home.ts'

const HOME = '/ui/home'

const put = async (world: World, room: string, body: { id?: unknown }): Promise<void> => {
  await expectOk(world.as('O', 'PUT', `/api/${room}/${String(body.id)}`, { body }))
}

const titles = (found: readonly Attention[]) =>
  found.map(({ severity, title }) => `${severity}: ${title}`)

const port = (name: string) => ({ name, version: '1', contractId: name })

const unowned = (id: string) => odcs(id, { team: undefined })

function withoutTime<T extends { at: string | null }>(told: T): Omit<T, 'at'> {
  const { at, ...rest } = told
  assert.match(at ?? '', /Z$/)
  return rest
}

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))
  const getHome = (world: World, person: PersonName = 'Ue'): Promise<Home> =>
    readJson<Home>(world.asPerson(person, 'GET', HOME))
  const waiting = async (world: World, kind: Attention['kind'], person?: PersonName) =>
    (await getHome(world, person)).attention.filter((one) => one.kind === kind)

  test(`GET ${HOME} › 200 for an empty organization`, async () => {
    const world = await fresh()
    const { activity, ...rest } = await getHome(world)
    assert.deepEqual(rest, {
      counts: { dataProducts: 0, dataContracts: 0, teams: 2, assets: 0, integrations: 0 },
      products: [],
      productsAreMine: false,
      attention: [],
    })
    assert.deepEqual(activity.breaking, [])
    const changes = activity.latest.flatMap((group) => group.changes)
    const names = changes.map(({ kind, name, action }) => `${kind} ${name} ${action}`)
    assert.deepEqual(names.toSorted(), ['team Team A created', 'team Team B created'])
  })

  test('GET /ui/first-steps › 200 with the completed steps', async () => {
    const world = await fresh()
    const steps = () => readJson<FirstSteps>(world.asPerson('Ue', 'GET', '/ui/first-steps'))
    const before = { team: true, dataProduct: false, apiKey: true, integration: false }
    assert.deepEqual(await steps(), { ...before, isInUse: false })
    await addIntegration(world)
    for (let at = 1; at <= FIRST_PRODUCTS_MAX; at += 1) {
      await put(world, 'dataproducts', odps(`p${at}`))
    }
    const after = { team: true, dataProduct: true, apiKey: true, integration: true }
    assert.deepEqual(await steps(), { ...after, isInUse: false })
    await put(world, 'dataproducts', odps('one-more'))
    assert.deepEqual(await steps(), { ...after, isInUse: true })
  })

  test(`GET ${HOME} › counts all objects except deleted assets`, async () => {
    const world = await fresh()
    for (const id of ['p1', 'p2', 'p3']) await put(world, 'dataproducts', odps(id))
    await put(world, 'datacontracts', dcs('c1'))
    const integration = await addIntegration(world)
    const [gone = ''] = await ingest(world, integration, [
      sourceTable(['d', 's', 't1']),
      sourceTable(['d', 's', 't2']),
    ])
    await markGone(world, gone)
    const { counts } = await getHome(world)
    assert.deepEqual(counts, {
      dataProducts: 3,
      dataContracts: 1,
      teams: 2,
      assets: 1,
      integrations: 1,
    })
  })

  test(`GET ${HOME} › lists at most 12 products of the caller's teams, last changed first`, async () => {
    const world = await fresh()
    for (let at = 0; at < 14; at += 1) await put(world, 'dataproducts', odps(`p${at}`))
    await put(world, 'dataproducts', odps('theirs', { team: { name: 'b' } }))
    await put(
      world,
      'dataproducts',
      odps('p0', { name: 'Changed', description: { purpose: 'Why' } }),
    )
    const { products, productsAreMine } = await getHome(world)
    assert.equal(productsAreMine, true)
    const ids = products.map(({ id }) => id)
    assert.deepEqual(ids, ['p0', ...Array.from({ length: 11 }, (_, at) => `p${13 - at}`)])
    const [{ updatedAt, ...first } = assert.fail()] = products
    assert.match(updatedAt, /Z$/)
    assert.deepEqual(first, {
      id: 'p0',
      name: 'Changed',
      status: 'active',
      ownerId: 'a',
      ownerName: 'Team A',
      description: 'Why',
      format: 'odps',
    })
  })

  test(`GET ${HOME} › lists the latest of all products if the caller's teams have none`, async () => {
    const world = await fresh()
    for (const id of ['p1', 'p2'])
      await put(world, 'dataproducts', odps(id, { team: { name: 'b' } }))
    await put(world, 'dataproducts', odps('p1', { team: { name: 'b' }, name: 'Again' }))
    for (const person of ['Uo', 'Ue'] as const) {
      const { products, productsAreMine } = await getHome(world, person)
      assert.equal(productsAreMine, false)
      assert.deepEqual(
        products.map(({ id }) => id),
        ['p1', 'p2'],
      )
    }
  })

  test(`GET ${HOME} › 200 with only the groups of the week, and breaking ones separately`, async () => {
    const world = await fresh()
    for (let at = 0; at < 45; at += 1) await put(world, 'dataproducts', odps(`p${at}`))
    await expectOk(world.as('T', 'DELETE', '/api/dataproducts/p0'))
    const { activity } = await getHome(world)
    assert.deepEqual(
      activity.breaking.flatMap(({ changes }) => changes.map(({ id, action }) => [id, action])),
      [['p0', 'deleted']],
    )
    assert.ok(activity.latest.length <= GROUPS_MAX)
    const total = activity.latest.reduce((sum, group) => sum + group.total, 0)
    assert.equal(total, 45 + 1 + 2)
    const later = newProduct(store(), { clock: fixedClock('2099-01-01T00:00:00Z') })
    const token = await startSession(store().db, later.services.clock, world.userIds.Ue)
    const then = await readJson<Home>(later.call('GET', HOME, { headers: withSession(token) }))
    assert.deepEqual(then.activity, { breaking: [], latest: [] })
    assert.equal(then.products.length, 12)
  })

  test(`GET ${HOME} › counts the integrations that the caller can see`, async () => {
    const world = await fresh()
    for (const owner of ['a', 'b', undefined]) {
      await addIntegration(world, owner === undefined ? {} : { owner })
    }
    assert.equal((await getHome(world, 'Ue')).counts.integrations, 2)
    assert.equal((await getHome(world, 'Uo')).counts.integrations, 3)
  })

  test(`GET ${HOME} › run_failed and deletes_held of integrations that the caller can see`, async () => {
    const world = await fresh()
    const mine = await addIntegration(world, { owner: 'a' })
    const theirs = await addIntegration(world, { owner: 'b' })
    for (const { runId } of [mine, theirs]) {
      await sql`
        update ingestion_run set held_state = 'pending', held_count = 4 where id = ${runId}
      `.execute(store().db)
    }
    const failed = await fail(world, mine)
    await fail(world, theirs)
    const { attention } = await getHome(world)
    assert.deepEqual(attention.map(withoutTime), [
      {
        kind: 'run_failed',
        severity: 'serious',
        title: `The last run of ${mine.externalId} failed`,
        detail: 'The source was away.',
        target: { kind: 'run', id: failed, integrationExternalId: mine.externalId },
        count: 1,
      },
      {
        kind: 'deletes_held',
        severity: 'warning',
        title: `${mine.externalId}: 4 deletes held for confirmation`,
        detail:
          'More than usual is missing from the source. Confirm the deletes, or keep the assets.',
        target: { kind: 'run', id: mine.runId, integrationExternalId: mine.externalId },
        count: 4,
      },
    ])
    assert.equal((await getHome(world, 'Uo')).attention.length, 4)
  })

  test(`GET ${HOME} › omits a failed run after a later one succeeds`, async () => {
    const world = await fresh()
    const integration = await addIntegration(world)
    await fail(world, integration)
    assert.equal((await waiting(world, 'run_failed')).length, 1)
    await fail(world, integration, 'SUCCESS')
    assert.equal((await waiting(world, 'run_failed')).length, 0)
  })

  test(`GET ${HOME} › integration_paused with the reason`, async () => {
    const world = await fresh()
    const { id, externalId } = await addIntegration(world, { owner: 'a' })
    await sql`update integration set paused_because = 'Refused.' where id = ${id}`.execute(
      store().db,
    )
    const [paused] = await waiting(world, 'integration_paused')
    assert.equal(paused?.detail, 'Refused.')
    assert.deepEqual(paused?.target, {
      kind: 'integration',
      id: externalId,
      integrationExternalId: externalId,
    })
  })

  test(`GET ${HOME} › key_expiring within 14 days, for keys that the caller can replace`, async () => {
    const world = await fresh()
    const { rows } = await sql<{ day: string }>`
      select ((clock_timestamp() at time zone 'UTC')::date + n)::text as day
      from generate_series(0, 15) as n
    `.execute(store().db)
    const make = async (person: PersonName, scope: string, days: number): Promise<void> => {
      const body = {
        scope,
        displayName: `${scope} of ${person} in ${days}`,
        expiresAt: rows[days]?.day,
      }
      await readText(world.asPerson(person, 'POST', '/ui/api-keys', { body }), 201)
    }
    await make('Ue', 'user', 14)
    await make('Ue', 'user', 0)
    await make('Ue', 'user', 15)
    await make('Um', 'user', 5)
    await make('Uo', 'organization', 4)
    assert.deepEqual(titles(await waiting(world, 'key_expiring')), [
      'serious: API key "user of Ue in 0" expires today',
      'warning: API key "user of Ue in 14" expires in 14 days',
    ])
    assert.deepEqual(titles(await waiting(world, 'key_expiring', 'Uo')), [
      'warning: API key "organization of Uo in 4" expires in 4 days',
    ])
  })

  test(`GET ${HOME} › key_expiring for 14 days after the expiry, until a key with the same name replaces it`, async () => {
    const world = await fresh()
    const make = async (displayName: string, scope = 'user'): Promise<void> => {
      const body = { scope, displayName }
      await readText(world.asPerson('Ue', 'POST', '/ui/api-keys', { body }), 201)
    }
    for (const name of ['yesterday', 'long ago', 'forgotten', 'replaced', 'other scope']) {
      await make(name)
    }
    await sql`
      update api_key
      set expires_on = (clock_timestamp() at time zone 'UTC')::date
        - case display_name when 'forgotten' then 15 when 'long ago' then 14 else 1 end
      where organization_id = ${world.organizationId}
        and created_by like 'user:%'
        and expires_on is null
    `.execute(store().db)
    await make('replaced')
    await make('other scope', 'user_read')
    assert.deepEqual(titles(await waiting(world, 'key_expiring')), [
      'serious: API key "long ago" expired 14 days ago',
      'serious: API key "yesterday" expired yesterday',
      'serious: API key "other scope" expired yesterday',
    ])
  })

  test(`GET ${HOME} › contract_missing for the products of the caller's teams`, async () => {
    const world = await fresh()
    const ports = { inputPorts: [port('c1'), port('gone')], outputPorts: [port('lost')] }
    await put(world, 'datacontracts', dcs('c1'))
    await put(world, 'dataproducts', odps('p', ports))
    await put(world, 'dataproducts', odps('theirs', { ...ports, team: { name: 'b' } }))
    const found = await waiting(world, 'contract_missing')
    assert.deepEqual(found, [
      {
        kind: 'contract_missing',
        severity: 'warning',
        title: 'Product p references 2 missing contracts',
        detail: 'gone, lost. Resolves when the contracts are registered.',
        target: { kind: 'data-product', id: 'p', integrationExternalId: null },
        at: null,
        count: 2,
      },
    ])
    await put(world, 'datacontracts', dcs('gone'))
    const [left] = await waiting(world, 'contract_missing')
    assert.equal(left?.title, 'Product p references 1 missing contract')
  })

  test(`GET ${HOME} › contract_unowned for organization owners, with a link to the contract or to a search`, async () => {
    const world = await fresh()
    await put(world, 'datacontracts', unowned('c1'))
    assert.deepEqual(await waiting(world, 'contract_unowned', 'Ue'), [])
    assert.deepEqual(await waiting(world, 'contract_unowned', 'Uo'), [
      {
        kind: 'contract_unowned',
        severity: 'warning',
        title: '1 data contract without an owner',
        detail:
          'c1. Only organization owners can edit it. Name the owning team in the document or with ?owner=.',
        target: { kind: 'data-contract', id: 'c1', integrationExternalId: null },
        at: null,
        count: 1,
      },
    ])
    for (const id of ['c2', 'c3', 'c4', 'c5']) await put(world, 'datacontracts', unowned(id))
    const [several] = await waiting(world, 'contract_unowned', 'Uo')
    assert.equal(several?.title, '5 data contracts without an owner')
    assert.match(several?.detail ?? '', /^c1, c2, c3 and 2 more\./)
    assert.deepEqual(several?.target.kind, 'search')
    for (const at of [1, 2, 3, 4, 5]) {
      const path = `/api/datacontracts/c${at}?owner=a`
      await expectOk(world.as('O', 'PUT', path, { body: unowned(`c${at}`) }))
    }
    assert.deepEqual(await waiting(world, 'contract_unowned', 'Uo'), [])
  })

  test(`GET ${HOME} › format_ending, one item per format, with the days left`, async () => {
    const world = await newWorld(
      newProduct(store(), { dpsUntil: '9999-12-31', dcsUntil: '9999-12-31' }),
    )
    await put(world, 'dataproducts', dps('p1'))
    await put(world, 'dataproducts', dps('p2'))
    await put(world, 'datacontracts', dcs('c1'))
    await put(world, 'datacontracts', dcs('c2', { info: { title: 'C', version: '1', owner: 'b' } }))
    const at = async (instant: string, until: string, person: PersonName): Promise<Attention[]> => {
      const options = { clock: fixedClock(instant), dpsUntil: until, dcsUntil: until }
      const then = newProduct(store(), options)
      const token = await startSession(store().db, then.services.clock, world.userIds[person])
      const { attention } = await readJson<Home>(
        then.call('GET', HOME, { headers: withSession(token) }),
      )
      return attention.filter(({ kind }) => kind === 'format_ending')
    }
    const [product, contract] = await at('2099-01-01T00:00:00Z', '2099-01-31', 'Ue')
    assert.deepEqual(product, {
      kind: 'format_ending',
      severity: 'warning',
      title: '2 data products to convert from DPS to ODPS',
      detail: 'DPS is accepted until 31 Jan 2099, for 30 more days. Portbook converts them.',
      target: { kind: 'search', id: 'dps', integrationExternalId: null },
      at: '2099-01-31T23:59:59.000000Z',
      count: 2,
    })
    assert.deepEqual([contract?.target.id, contract?.count], ['dcs', 1])
    for (const [until, severity, says] of [
      ['2099-12-31', 'note', /364 more days/],
      ['2099-01-02', 'serious', /1 more day\./],
      ['2099-01-01', 'serious', /1 Jan 2099, today\./],
      ['2098-12-31', 'serious', /ended on 31 Dec 2098/],
    ] as const) {
      const [one] = await at('2099-01-01T23:59:59Z', until, 'Ue')
      assert.equal(one?.severity, severity)
      assert.match(one.detail, says)
    }
    const owners = await at('2099-01-01T00:00:00Z', '2099-01-31', 'Uo')
    assert.deepEqual(
      owners.map(({ count }) => count),
      [2, 2],
    )
  })

  test(`GET ${HOME} › neither shows nor counts data of another organization`, async () => {
    const [world, other] = [await fresh(), await fresh()]
    const before = await getHome(world)
    const broken = odps('theirs', {
      outputPorts: [{ name: 'o', version: '1', contractId: 'gone' }],
    })
    await put(other, 'dataproducts', broken)
    await put(other, 'datacontracts', dcs('theirs'))
    const integration = await addIntegration(other)
    await ingest(other, integration, [sourceTable(['d', 's', 't'])])
    await fail(other, integration)
    assert.deepEqual(await getHome(world), before)
    assert.ok((await getHome(other)).attention.length > 0)
  })

  test(`GET ${HOME} › 401 without a session, and with a key`, async () => {
    const world = await fresh()
    for (const caller of ['none', 'O', 'Uo'] as const) {
      await expectProblem(world.as(caller, 'GET', HOME), 401)
    }
  })

  /** Adds a failed run that is later than all others. Returns its ID. */
  async function fail(
    world: World,
    integration: { id: string },
    status: 'FAILED' | 'SUCCESS' = 'FAILED',
  ): Promise<string> {
    const id = randomUUID()
    await sql`
      insert into ingestion_run (
        organization_id, id, integration_id, kind, status, phase, message, principal, forced,
        started_at, completed_at, progressed_at
      )
      values (
        ${world.organizationId}::uuid, ${id}::uuid, ${integration.id}::uuid, 'ingest', ${status},
        'listing', 'The source was away.', 'system', false, clock_timestamp(), clock_timestamp(),
        clock_timestamp()
      )
    `.execute(store().db)
    return id
  }
})
