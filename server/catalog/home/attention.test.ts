import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement } from '../../../test/agreements.ts'
import { readJson, readText } from '../../../test/answers.ts'
import { addIntegration, ingest, sourceTable } from '../../../test/ingested-assets.ts'
import { onStore } from '../../../test/stores.ts'
import {
  dcs,
  dps,
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
} from '../../../test/world.ts'
import { withSession, type PersonName, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { newSession } from '../../../test/session.ts'
import { type Attention } from './home.ts'
import type { Home } from './home.ts'

const HOME = '/ui/home'

const titles = (found: readonly Attention[]) =>
  found.map(({ severity, title }) => `${severity}: ${title}`)

const port = (name: string) => ({ name, version: '1', contractId: name })

const unowned = (id: string) => odcs(id, { team: undefined })

function withoutTime<T extends { at: string | null }>(item: T): Omit<T, 'at'> {
  const { at, ...rest } = item
  assert.match(at ?? '', /Z$/)
  return rest
}

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))
  const getHome = (world: World, person: PersonName = 'Ue'): Promise<Home> =>
    readJson<Home>(world.asPerson(person, 'GET', HOME))
  const waiting = async (world: World, kind: Attention['kind'], person?: PersonName) =>
    (await getHome(world, person)).attention.filter((one) => one.kind === kind)

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

  test(`GET ${HOME} › access_requested only for those who decide`, async () => {
    const world = await fresh()
    await addAgreement(world, { owner: 'a', consumer: { teamId: 'b' } })
    assert.deepEqual(titles(await waiting(world, 'access_requested', 'Uo')), [
      'warning: 1 request of access waits for a decision',
    ])
    assert.deepEqual(await waiting(world, 'access_requested', 'Ue'), [])
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
    await putOne(world, 'datacontracts', dcs('c1'))
    await putOne(world, 'dataproducts', odps('p', ports))
    await putOne(world, 'dataproducts', odps('theirs', { ...ports, team: { name: 'b' } }))
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
    await putOne(world, 'datacontracts', dcs('gone'))
    const [left] = await waiting(world, 'contract_missing')
    assert.equal(left?.title, 'Product p references 1 missing contract')
  })

  test(`GET ${HOME} › contract_unowned for organization owners, with a link to the contract or to a search`, async () => {
    const world = await fresh()
    await putOne(world, 'datacontracts', unowned('c1'))
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
    for (const id of ['c2', 'c3', 'c4', 'c5']) await putOne(world, 'datacontracts', unowned(id))
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
    await putOne(world, 'dataproducts', dps('p1'))
    await putOne(world, 'dataproducts', dps('p2'))
    await putOne(world, 'datacontracts', dcs('c1'))
    await putOne(
      world,
      'datacontracts',
      dcs('c2', { info: { title: 'C', version: '1', owner: 'b' } }),
    )
    const at = async (instant: string, until: string, person: PersonName): Promise<Attention[]> => {
      const options = { clock: fixedClock(instant), dpsUntil: until, dcsUntil: until }
      const then = newProduct(store(), options)
      const token = await newSession(store().db, then.services.clock, world.userIds[person])
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
    await putOne(other, 'dataproducts', broken)
    await putOne(other, 'datacontracts', dcs('theirs'))
    const integration = await addIntegration(other)
    await ingest(other, integration, [sourceTable(['d', 's', 't'])])
    await fail(other, integration)
    assert.deepEqual(await getHome(world), before)
    assert.ok((await getHome(other)).attention.length > 0)
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
