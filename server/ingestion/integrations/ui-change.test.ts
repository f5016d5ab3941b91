import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { listEntries } from '../../../test/activity.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import {
  INTEGRATIONS,
  addIntegration,
  integrationBody,
  openPages,
  splitFields,
  type Form,
} from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, withSession } from '../../../test/world.ts'
import type { CallOptions, PersonName, World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { countAuthenticationFailure } from './run-store.ts'
import { openCredentials } from './service.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const { as, get, put, readRow } = openPages(() => world)
  const moveTo = (person: PersonName, id: string, owner: string | null): Promise<Response> =>
    as(person, 'PUT', `${INTEGRATIONS}/${id}`, {
      name: 'N',
      owningTeamExternalId: owner,
      configuration: { host: 'db.portbook.test', user: 'reader' },
    })

  async function readSecrets(externalId: string): Promise<Record<string, string>> {
    const { id } = await readRow(externalId)
    return await openCredentials(store().db, world.services.secretBox, world.organizationId, id)
  }

  test(`PUT ${INTEGRATIONS}/{externalId} › replaces the settings and keeps the secrets`, async () => {
    const id = await addIntegration(world, 'a', {
      filters: { exclude: { table: ['tmp_*'] } },
      scheduleExpression: '0 6 * * *',
    })
    const before = await readSecrets(id)
    const form = await readJson<Form>(
      put(id, {
        name: 'Renamed',
        owningTeamExternalId: 'b',
        configuration: { host: 'db.portbook.test', user: 'reader', includeViews: false },
      }),
    )
    assert.partialDeepStrictEqual(form, {
      name: 'Renamed',
      owningTeamExternalId: 'b',
      filters: { include: {}, exclude: {} },
      scheduleExpression: null,
      nextTimes: [],
      version: 2,
    })
    assert.equal(form.configuration['includeViews'], false)
    assert.deepEqual(await readSecrets(id), before)
    assert.equal((await readRow(id)).next_due_at, null)
  })

  test(`PUT ${INTEGRATIONS}/{externalId} › accepts the result of GET`, async () => {
    const id = await addIntegration(world, 'a', { scheduleExpression: '0 0 6 * * ?' })
    const {
      name,
      configuration,
      filters,
      owningTeamExternalId,
      scheduleExpression,
      timeZone,
      version,
    } = await get(id)
    const body = {
      externalId: id,
      source: 'postgres',
      name,
      configuration,
      filters,
      owningTeamExternalId,
      scheduleExpression,
      timeZone,
      version,
    }
    const after = await readJson<Form>(put(id, body))
    assert.deepEqual({ ...after, version }, await get(id).then((form) => ({ ...form, version })))
  })

  test(`PUT ${INTEGRATIONS}/{externalId} › sets the secrets that are sent, and removes those that are null`, async () => {
    const id = await addIntegration(world, 'a', { secrets: { password: 'one', clientKey: 'two' } })
    const { configuration } = await get(id)
    await readText(
      put(id, {
        name: 'N',
        owningTeamExternalId: 'a',
        configuration,
        secrets: { clientKey: 'three' },
      }),
    )
    assert.deepEqual(await readSecrets(id), { password: 'one', clientKey: 'three' })
    await readText(
      put(id, { name: 'N', owningTeamExternalId: 'a', configuration, secrets: { password: null } }),
    )
    assert.deepEqual(await readSecrets(id), { clientKey: 'three' })
    const states = (await get(id)).secrets.map(({ name, setAt }) => [name, setAt !== null])
    assert.deepEqual(states, [
      ['password', false],
      ['clientKey', true],
    ])
  })

  for (const [field, value] of [
    ['host', 'elsewhere.portbook.test'],
    ['port', 5433],
    ['user', 'someone'],
    ['sslMode', 'disable'],
  ] as const) {
    test(`PUT ${INTEGRATIONS}/{externalId} › 422 if the ${field} changes and the secrets are not sent again`, async () => {
      const id = await addIntegration(world, 'a', {
        secrets: { password: 'one', clientKey: 'two' },
      })
      const { configuration } = await get(id)
      const changed = {
        name: 'N',
        owningTeamExternalId: 'a',
        configuration: { ...configuration, [field]: value },
      }
      const refused = await expectProblem(
        put(id, changed),
        422,
        new RegExp(`Enter it again because ${field} changed`),
      )
      assert.deepEqual(splitFields(refused), ['secrets.clientKey', 'secrets.password'])
      const half = await expectProblem(put(id, { ...changed, secrets: { password: 'one' } }), 422)
      assert.deepEqual(splitFields(half), ['secrets.clientKey'])
      assert.deepEqual((await get(id)).configuration, configuration)
      await readText(put(id, { ...changed, secrets: { password: 'three', clientKey: null } }))
      assert.deepEqual(await readSecrets(id), { password: 'three' })
    })
    test(`POST ${INTEGRATIONS}/{externalId}/test › 422 for a draft that changes the ${field} without the secrets`, async () => {
      const id = await addIntegration(world, 'a')
      const { configuration } = await get(id)
      const draft = {
        owningTeamExternalId: 'a',
        configuration: { ...configuration, [field]: value },
      }
      for (const verb of ['test', 'scopes']) {
        const tried = as('Ue', 'POST', `${INTEGRATIONS}/${id}/${verb}`, draft)
        await expectProblem(tried, 422, /Enter it again/)
      }
    })
  }

  test(`PUT ${INTEGRATIONS}/{externalId} › 422 for another id or another source`, async () => {
    const id = await addIntegration(world, 'a')
    const { configuration } = await get(id)
    const renamed = await expectProblem(
      put(id, { name: 'N', configuration, externalId: 'other' }),
      422,
    )
    assert.deepEqual(splitFields(renamed), ['externalId'])
    const moved = await expectProblem(put(id, { name: 'N', configuration, source: 'mysql' }), 422)
    assert.deepEqual(splitFields(moved), ['source'])
  })

  test(`PUT ${INTEGRATIONS}/{externalId} › 412 if it was changed in the meantime`, async () => {
    const id = await addIntegration(world, 'a')
    const { configuration } = await get(id)
    const change = (version: number | undefined, options: CallOptions = {}): Promise<Response> =>
      put(id, { name: uniqueId(), owningTeamExternalId: 'a', configuration, version }, options)
    await readText(change(1))
    await expectProblem(change(1), 412, /version 2 is current/)
    await readText(change(undefined, { headers: { 'if-match': '"2"' } }))
    await expectProblem(change(undefined, { headers: { 'if-match': '"2"' } }), 412, /"3"/)
    const both = await Promise.all([change(3), change(3)])
    assert.deepEqual(both.map(({ status }) => String(status)).toSorted(), ['200', '412'])
    assert.equal((await get(id)).version, 4)
  })

  test(`PUT ${INTEGRATIONS}/{externalId} › 403 without INGESTION_EDIT on the old and the new team, 404 for one that is not visible`, async () => {
    const ofA = await addIntegration(world, 'a')
    const ofB = await addIntegration(world, 'b')
    await readText(moveTo('Ue', ofA, 'a'))
    await expectProblem(moveTo('Ue', ofA, 'b'), 403)
    await expectProblem(moveTo('Ue', ofA, null), 403)
    await expectProblem(moveTo('Ue', ofB, 'a'), 404)
    await expectProblem(moveTo('Um', ofA, 'a'), 403)
    await expectProblem(moveTo('Ue', ofA, 'unknown'), 422)
    await expectProblem(moveTo('Ue', 'unknown', 'a'), 404)
  })

  test(`POST ${INTEGRATIONS}/{externalId}/disable and enable › turn the schedule off and on`, async () => {
    const id = await addIntegration(world, 'a', { scheduleExpression: '0 6 * * *' })
    const due = (await readRow(id)).next_due_at
    const off = await readJson<Form>(as('Ue', 'POST', `${INTEGRATIONS}/${id}/disable`))
    assert.partialDeepStrictEqual(off, { enabled: false, nextTimes: [], version: 2 })
    assert.equal((await readRow(id)).next_due_at, null)
    const on = await readJson<Form>(as('Ue', 'POST', `${INTEGRATIONS}/${id}/enable`))
    assert.partialDeepStrictEqual(on, { enabled: true, version: 3 })
    assert.equal((await readRow(id)).next_due_at, due)
    for (const verb of ['enable', 'disable']) {
      await expectProblem(as('Um', 'POST', `${INTEGRATIONS}/${id}/${verb}`), 403)
      await expectProblem(as('Uo', 'POST', `${INTEGRATIONS}/unknown/${verb}`), 404)
    }
  })

  test('a paused schedule › resumes when it is enabled or when new secrets are set', async () => {
    const { db, clock } = world.services
    for (const resume of ['enable', 'secrets', 'nothing'] as const) {
      const id = await addIntegration(world, 'a', { scheduleExpression: '0 6 * * *' })
      const { id: internal } = await readRow(id)
      for (let times = 0; times < 5; times += 1) {
        await countAuthenticationFailure(db, clock, world.organizationId, internal, 5)
      }
      const paused = await get(id)
      assert.match(paused.pausedBecause ?? '', /refused the credentials 5 times/)
      assert.deepEqual(paused.nextTimes, [])
      const entries = await listEntries(world, 'integration')
      assert.deepEqual(
        entries
          .filter(({ subject, action }) => subject === id && action === 'paused')
          .map(({ principal, details }) => [principal, details]),
        [['system', { reason: paused.pausedBecause }]],
      )
      const { configuration } = paused
      const body = {
        name: 'N',
        owningTeamExternalId: 'a',
        configuration,
        scheduleExpression: '0 7 * * *',
      }
      if (resume === 'enable') await readText(as('Ue', 'POST', `${INTEGRATIONS}/${id}/enable`))
      else
        await readText(
          put(id, resume === 'nothing' ? body : { ...body, secrets: { password: 'new' } }),
        )
      const after = await get(id)
      const { next_due_at: dueAt } = await readRow(id)
      assert.deepEqual(
        [after.pausedBecause === null, after.nextTimes.length, dueAt !== null],
        resume === 'nothing' ? [false, 0, false] : [true, 3, true],
      )
    }
  })

  test('a due time › is not lost by a change of other fields', async () => {
    const early = await newWorld(newProduct(store(), { clock: fixedClock('2031-03-01T05:00:00Z') }))
    const later = newProduct(store(), { clock: fixedClock('2031-03-01T06:30:00Z') })
    const schedule = { scheduleExpression: '30 0 6 * * ?' }
    const id = await addIntegration(early, null, schedule)
    const dueAt = async (): Promise<string | null> => {
      const row = store().db.selectFrom('integration').select('next_due_at')
      return (await row.where('external_id', '=', id).executeTakeFirstOrThrow()).next_due_at
    }
    const change = (more: object): Promise<Response> =>
      later.call('PUT', `${INTEGRATIONS}/${id}`, {
        body: integrationBody({ ...schedule, ...more }),
        headers: withSession(early.sessions.Uo),
      })
    await readText(change({ name: 'Renamed' }))
    assert.equal(await dueAt(), '2031-03-01T06:00:30.000000Z')
    await readText(change({ scheduleExpression: '30 0 7 * * ?' }))
    assert.equal(await dueAt(), '2031-03-01T07:00:30.000000Z')
  })
})
