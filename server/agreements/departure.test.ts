import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { listAccessEventNames, listAccessEvents } from '../../test/access-events.ts'
import { listEntries } from '../../test/activity.ts'
import { addAgreement, addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId } from '../../test/world.ts'
import type { Product, World } from '../../test/world.ts'
import { storeClock } from '../platform/kit/clock.ts'
import { addMember } from '../people/organizations/service.ts'
import { SYSTEM } from '../ledger/activity/entry.ts'
import { endAccessOfFormerMembers, endAccessOfPerson } from './occasion-service.ts'
import type { AgreementDetails } from './ui-schema.ts'

const toId = (path: string): string => path.split('/').at(-1) ?? ''

onStore((store) => {
  let product: Product
  let world: World
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
  })

  const join = async (): Promise<string> => {
    const email = `${uniqueId()}@example.test`
    const member = { email, passwordHash: 'none', role: 'Member' } as const
    return await addMember(store().db, world.organizationId, member)
  }
  const remove = (userId: string): Promise<Response> =>
    world.asPerson('Uo', 'DELETE', `/ui/members/${userId}`)
  const getDetails = (path: string): Promise<AgreementDetails> =>
    readJson<AgreementDetails>(world.asPerson('Uo', 'GET', `/ui/access/${toId(path)}`))
  const end = (): Promise<number> => endAccessOfFormerMembers({ db: store().db, clock: storeClock })

  async function listOpen(userId: string): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select external_id as id
      from access_agreement
      where organization_id = ${world.organizationId}
        and consumer_user = ${userId}::uuid
        and state in ('requested', 'upcoming', 'active')
    `.execute(store().db)
    return rows.map(({ id }) => id)
  }

  test('an approval while the person is being removed › comes before the cancellation, in the feed and in the activity', async () => {
    const userId = await join()
    const path = await addAgreement(world, { consumer: { userId } })
    await store()
      .db.transaction()
      .execute(async (transaction) => {
        // The removal has its transaction id before the approval has one.
        await sql`select pg_current_xact_id()`.execute(transaction)
        await expectOk(world.as('O', 'POST', `${path}/approve`))
        const person = { organizationId: world.organizationId, userId }
        await endAccessOfPerson(transaction, storeClock, person, SYSTEM)
      })
    const expected = 'Created Requested Approved Activated Canceled Deactivated'
    assert.equal((await listAccessEventNames(world, path)).join(' '), expected)
    const { rows } = await sql<{ action: string }>`
      select action
      from activity_entry
      where organization_id = ${world.organizationId}
        and kind = 'access'
        and subject = ${toId(path)}
      order by epoch, transaction_id, position
    `.execute(store().db)
    assert.equal(rows.map(({ action }) => action).join(' '), expected.toLowerCase())
  })

  describe('DELETE /ui/members/{userId}', () => {
    test('ends the access of the person, and withdraws the requests', async () => {
      const userId = await join()
      const add = (more: { info?: object }, isApproved: boolean): Promise<string> =>
        addAgreement(world, { consumer: { userId }, more, isApproved })
      const active = await add({}, true)
      const upcoming = await add({ info: { startDate: '2999-01-01' } }, true)
      const requested = await add({}, false)
      const response = await expectOk(remove(userId))
      for (const [path, before, added] of [
        [active, 'Created Requested Approved Activated', 'Canceled Deactivated'],
        [upcoming, 'Created Requested Approved', 'Canceled'],
        [requested, 'Created Requested', 'Canceled'],
      ] as const) {
        const events = await listAccessEvents(world, path)
        assert.equal((await listAccessEventNames(world, path)).join(' '), `${before} ${added}`)
        assert.equal(events.at(-1)?.principal, `user:${world.userIds.Uo}`)
        const { state, endReason } = await getDetails(path)
        assert.equal(state, 'canceled')
        assert.equal(endReason, 'The person is no longer a member of the organization.')
        const entries = (await listEntries(world, 'access')).filter(
          ({ subject }) => subject === toId(path),
        )
        const canceled = entries.filter(({ action }) => action === 'canceled')
        assert.deepEqual(
          canceled.map(({ principal, requestId }) => [principal, requestId]),
          [[`user:${world.userIds.Uo}`, response.headers.get('x-request-id')]],
        )
      }
    })

    test('keeps the agreements of teams and of other people, and those that have ended', async () => {
      const userId = await join()
      const team = await addAgreement(world, { isApproved: true })
      const other = await addAgreement(world, {
        consumer: { userId: world.userIds.Um },
        isApproved: true,
      })
      const rejected = await addAgreement(world, { consumer: { userId } })
      await expectOk(world.as('O', 'POST', `${rejected}/reject`))
      await expectOk(remove(userId))
      const states = [team, other, rejected].map(async (path) => (await getDetails(path)).state)
      assert.deepEqual(await Promise.all(states), ['active', 'active', 'rejected'])
      await expectProblem(world.as('O', 'POST', `${rejected}/approve`), 422, /no longer a member/)
    })

    test('ends more agreements than are written at once', async () => {
      const userId = await join()
      const path = await addAgreement(world, { consumer: { userId }, isApproved: true })
      const { rows } = await sql<{ names: string }>`
        select string_agg(column_name, ', ' order by ordinal_position) as names
        from information_schema.columns
        where table_name = 'access_agreement' and is_generated = 'NEVER'
      `.execute(store().db)
      const names = rows[0]?.names ?? ''
      await sql`
        insert into access_agreement (${sql.raw(names)})
        select ${sql.raw(names.replace('external_id', "external_id || '-' || n"))}
        from access_agreement, generate_series(1, 100) as n
        where organization_id = ${world.organizationId}
          and external_id = ${toId(path)}
      `.execute(store().db)
      assert.equal((await listOpen(userId)).length, 101)
      await expectOk(remove(userId))
      assert.deepEqual(await listOpen(userId), [])
    })

    test('the access ends also if it is requested or approved at the same moment', async () => {
      const productId = await addProvider(world, 'a', {
        customProperties: [{ property: 'autoApprove', value: true }],
      })
      for (let round = 0; round < 20; round += 1) {
        const userId = await join()
        const rejected = await addAgreement(world, { product: productId, consumer: { userId } })
        await expectOk(world.as('O', 'POST', `${rejected}/reject`))
        const body = buildAgreement(productId, { userId })
        const sent = [
          () => world.as('O', 'PUT', `/api/access/${uniqueId()}`, { body }),
          () => world.as('O', 'POST', `${rejected}/approve`),
          () => remove(userId),
        ]
        const turned = round % 2 === 0 ? sent : sent.toReversed()
        const answers = await Promise.all(turned.map(async (send) => await send()))
        for (const { status } of answers) assert.ok([200, 204, 422].includes(status), `${status}`)
        assert.deepEqual(await listOpen(userId), [])
      }
    })
  })

  describe('the upkeep', () => {
    test('ends the access of people who were removed earlier, once, with two processes', async () => {
      const userId = await join()
      const path = await addAgreement(world, { consumer: { userId }, isApproved: true })
      await sql`
        delete from organization_member
        where organization_id = ${world.organizationId} and user_id = ${userId}::uuid
      `.execute(store().db)
      const counts = await Promise.all([end(), end(), end()])
      assert.equal(
        counts.reduce((sum, count) => sum + count),
        1,
      )
      const names = await listAccessEventNames(world, path)
      assert.deepEqual(names.slice(4), ['Canceled', 'Deactivated'])
      assert.equal((await listAccessEvents(world, path)).at(-1)?.principal, 'system')
      assert.equal(await end(), 0)
    })
  })
})
