import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import {
  listAccessEventNames,
  listAccessEvents,
  listAllEvents,
  toName,
} from '../../test/access-events.ts'
import type { SeenAgreement } from '../../test/access-events.ts'
import { addAgreement, addProvider } from '../../test/agreements.ts'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, type Product, type World } from '../../test/world.ts'
import { fixedClock, storeClock, type Clock } from '../platform/kit/clock.ts'
import { advanceDueAgreements } from './occasion-service.ts'

// A clock that runs some days ahead of the store's.
function daysAhead(days: number): Clock {
  return { now: sql<string>`(clock_timestamp() + make_interval(days => ${days}))` }
}

function dayAfter(days: number): string {
  return Temporal.Now.plainDateISO('UTC').add({ days }).toString()
}

async function info(of: World, path: string): Promise<SeenAgreement['info']> {
  return (await readJson<SeenAgreement>(of.as('O', 'GET', path))).info
}

onStore((store) => {
  let product: Product
  let world: World
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
  })

  const advance = (clock: Clock): Promise<number> => advanceDueAgreements({ db: store().db, clock })

  // The same organization, in a process that looks at another time.
  const at = (clock: Clock): World => ({ ...world, ...later(clock) })
  const later = (clock: Clock): Pick<World, 'as'> => {
    const { call } = newProduct(store(), { clock })
    return {
      as: (caller, method, path, options = {}) =>
        call(method, path, { ...options, key: world.keys[caller] }),
    }
  }
  const DATES = {
    startDate: dayAfter(2),
    endDate: dayAfter(40),
    nextReassessmentDate: dayAfter(10),
  }

  test('activates, reminds and ends on the day, each once, with two processes', async () => {
    const path = await addAgreement(world, { more: { info: DATES }, isApproved: true })
    const expected = ['Created', 'Requested', 'Approved']
    const steps = [
      [1, undefined, false],
      [2, 'Activated', true],
      [3, undefined, true],
      [10, 'ReassessmentDue', true],
      [26, 'Expiring', true],
      [40, 'Deactivated', false],
      [50, undefined, false],
    ] as const
    for (const [days, name, isActive] of steps) {
      const clock = daysAhead(days)
      // Also before a process has noticed it.
      assert.equal((await info(at(clock), path)).active, isActive)
      await Promise.all([advance(clock), advance(clock), advance(clock)])
      if (name !== undefined) expected.push(name)
      assert.deepEqual(await listAccessEventNames(world, path), expected)
      assert.equal((await info(at(clock), path)).active, isActive)
    }
    const last = (await listAccessEvents(world, path)).at(-1)
    assert.equal(last?.principal, 'system')
    assert.deepEqual([last.data.before?.info.active, last.data.after?.info.active], [true, false])
  })

  test('a store that was off for weeks catches up in order', async () => {
    const path = await addAgreement(world, { more: { info: DATES }, isApproved: true })
    await advance(daysAhead(60))
    assert.deepEqual((await listAccessEventNames(world, path)).slice(3), [
      'Activated',
      'ReassessmentDue',
      'Expiring',
      'Deactivated',
    ])
  })

  test('a change of an agreement that is due first records what time has changed', async () => {
    const path = await addAgreement(world, { more: { info: DATES }, isApproved: true })
    await expectOk(at(daysAhead(3)).as('O', 'POST', `${path}/cancel`))
    const names = (await listAccessEventNames(world, path)).slice(3)
    assert.deepEqual(names, ['Activated', 'Canceled', 'Deactivated'])
    await advance(daysAhead(60))
    assert.equal((await listAccessEventNames(world, path)).length, 6)
  })

  test('days are days in UTC', async () => {
    const startDate = dayAfter(2)
    const path = await addAgreement(world, { more: { info: { startDate } }, isApproved: true })
    const before = fixedClock(`${dayAfter(1)}T23:59:59.999999Z`)
    await advance(before)
    assert.equal((await info(at(before), path)).active, false)
    await advance(fixedClock(`${startDate}T00:00:00.000000Z`))
    assert.equal((await listAccessEventNames(world, path)).at(-1), 'Activated')
  })

  test('a renewal grants access on its first day, also before a process has noticed it', async () => {
    const productId = await addProvider(world, 'a')
    const day = dayAfter(10)
    for (const dates of [{ startDate: day }, { endDate: day }]) {
      const consumer = { teamId: 'a' }
      await addAgreement(world, {
        product: productId,
        consumer,
        more: { info: dates },
        isApproved: true,
      })
    }
    const body = {
      subject: { type: 'user', id: 'current_user' },
      resource: { type: 'data_product', id: productId, properties: { outputPortId: 'out' } },
      action: { name: 'query' },
    }
    for (const days of [0, 9, 10, 11]) {
      const answer = at(daysAhead(days)).as('Um', 'POST', '/api/access/evaluation', { body })
      assert.equal((await readJson<{ decision: boolean }>(answer)).decision, true, `${days} days`)
    }
  })

  test('many that are due at once are advanced in batches, each once, by two processes', async () => {
    const own = await newWorld(product)
    const provider = await addProvider(own, 'a')
    const template = await addAgreement(own, { product: provider, isApproved: true })
    const id = template.split('/').at(-1) ?? ''
    const copies = 450
    await sql`
      insert into access_agreement (${sql.raw(await listColumns())})
      select ${sql.raw((await listColumns()).replace('external_id', "external_id || '-' || n"))}
      from access_agreement, generate_series(1, ${copies}) as n
      where external_id = ${id}
    `.execute(store().db)
    await sql`
      insert into revision
      select organization_id, kind, external_id || '-' || n, version, document, media_type, format,
        digest, level, facts, created_at, valid_from, principal, request_id
      from revision, generate_series(1, ${copies}) as n
      where kind = 'access' and external_id = ${id}
    `.execute(store().db)
    await sql`
      update access_agreement
      set end_on = current_date + 1, next_due_at = (current_date + 1)::timestamp at time zone 'utc'
      where organization_id = ${own.organizationId} and external_id <> ${id}
    `.execute(store().db)
    const counts = await Promise.all([advance(daysAhead(2)), advance(daysAhead(2))])
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      copies,
    )
    const events = (await listAllEvents(own)).filter((event) => toName(event) === 'Deactivated')
    assert.equal(new Set(events.map(({ subject }) => subject)).size, copies)
    assert.equal(events.length, copies)
    assert.equal(await advance(storeClock), 0)
  })

  async function listColumns(): Promise<string> {
    const { rows } = await sql<{ names: string }>`
      select string_agg(column_name, ', ' order by ordinal_position) as names
      from information_schema.columns
      where table_name = 'access_agreement' and is_generated = 'NEVER'
    `.execute(store().db)
    return rows[0]?.names ?? ''
  }
})
