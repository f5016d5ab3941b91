import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson, readText, type Problem } from '../../test/answers.ts'
import { addIntegration, integrationBody } from '../../test/integrations.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, withSession } from '../../test/world.ts'
import type { CallOptions, PersonName, World } from '../../test/world.ts'
import { insertRun } from '../ingestion/run-store.ts'
import { fixedClock } from '../kit/clock.ts'
import { countAuthenticationFailure } from './run-store.ts'
import { openCredentials } from './service.ts'

const ROOM = '/ui/integrations'

interface Form {
  externalId: string
  name: string
  source: string
  enabled: boolean
  owningTeamExternalId: string | null
  configuration: Record<string, unknown>
  filters: object
  secrets: { name: string; setAt: string | null }[]
  scheduleExpression: string | null
  timeZone: string
  nextTimes: string[]
  pausedBecause: string | null
  version: number
  mayEdit: boolean
}

function splitFields({ violations = [] }: Problem): string[] {
  return violations.map(({ field }) => field)
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const as = (
    person: PersonName,
    method: string,
    path: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<Response> => world.asPerson(person, method, path, { body, ...options })
  const create = (body: object, person: PersonName = 'Uo'): Promise<Response> =>
    as(person, 'POST', ROOM, body)
  const get = (id: string): Promise<Form> => readJson<Form>(as('Uo', 'GET', `${ROOM}/${id}`))
  const put = (id: string, body: object, options: CallOptions = {}): Promise<Response> =>
    as('Uo', 'PUT', `${ROOM}/${id}`, body, options)

  const createFor = (owner: string | undefined, person: PersonName): Promise<Response> =>
    create(integrationBody({ owningTeamExternalId: owner }), person)
  const readView = async (person: PersonName, id: string): Promise<string> => {
    const response = await as(person, 'GET', `${ROOM}/${id}`)
    if (response.status !== 200) return String(response.status)
    return ((await response.json()) as Form).mayEdit ? 'edit' : 'see'
  }
  const moveTo = (person: PersonName, id: string, owner: string | null): Promise<Response> =>
    as(person, 'PUT', `${ROOM}/${id}`, {
      name: 'N',
      owningTeamExternalId: owner,
      configuration: { host: 'db.portbook.test', user: 'reader' },
    })

  async function readRow(externalId: string): Promise<{ id: string; next_due_at: string | null }> {
    return await store()
      .db.selectFrom('integration')
      .select(['id', 'next_due_at'])
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', externalId)
      .executeTakeFirstOrThrow()
  }
  async function readSecrets(externalId: string): Promise<Record<string, string>> {
    const { id } = await readRow(externalId)
    return await openCredentials(store().db, world.services.secretBox, world.organizationId, id)
  }

  test(`POST ${ROOM} › 201 with the stored integration, including defaults`, async () => {
    const externalId = uniqueId()
    const body = integrationBody({
      externalId,
      name: ' Sales ',
      owningTeamExternalId: 'a',
      filters: { include: { schema: ['sales*'] } },
      scheduleExpression: '0 6 * * *',
      timeZone: 'Europe/Berlin',
    })
    const response = await expectOk(create(body, 'Ue'))
    assert.equal(response.status, 201)
    assert.equal(response.headers.get('etag'), '"1"')
    assert.equal(
      response.headers.get('location-html'),
      `http://portbook.test/integrations/${externalId}`,
    )
    const form = (await response.json()) as Form
    assert.deepEqual(form, await get(externalId))
    assert.partialDeepStrictEqual(form, {
      externalId,
      name: 'Sales',
      source: 'postgres',
      enabled: true,
      owningTeamExternalId: 'a',
      filters: { include: { schema: ['sales*'] }, exclude: {} },
      configuration: { host: 'db.portbook.test', port: 5432, user: 'reader', sslMode: 'require' },
      scheduleExpression: '0 6 * * *',
      timeZone: 'Europe/Berlin',
      pausedBecause: null,
      version: 1,
      mayEdit: true,
    })
    assert.equal(form.nextTimes.length, 3)
    const { next_due_at: dueAt } = await readRow(externalId)
    assert.equal(dueAt, form.nextTimes[0])
    const set = form.secrets.map(({ name, setAt }) => [name, setAt !== null])
    assert.deepEqual(set, [
      ['password', true],
      ['clientKey', false],
    ])
  })

  test(`POST ${ROOM} › derives a missing id from the name, with a suffix if it is taken`, async () => {
    const name = `Größe & Maß ${uniqueId()}`
    const slug = name.toLowerCase().replace('größe & maß ', 'gro-e-ma-')
    for (const id of [slug, `${slug}-2`, `${slug}-3`]) {
      const { externalId } = await readJson<Form>(create(integrationBody({ name })), 201)
      assert.equal(externalId, id)
    }
    const unnamed = await readJson<Form>(create(integrationBody({ name: 'Latest' })), 201)
    assert.equal(unnamed.externalId, 'latest-postgres')
  })

  const REFUSED: [string, object, string[]][] = [
    ['no source', { source: undefined }, ['source']],
    ['an unknown source', { source: 'oracle' }, ['source']],
    ['no name', { name: undefined }, ['name']],
    ['an empty name', { name: '  ' }, ['name']],
    ['an extra field', { nmae: 'x' }, ['nmae']],
    [
      'an extra field of the configuration',
      { configuration: { host: 'h', user: 'u', url: 'postgres://' } },
      ['configuration.url'],
    ],
    [
      'invalid fields of the configuration',
      { configuration: { host: '', port: 0, user: 1 } },
      ['configuration.host', 'configuration.port', 'configuration.user'],
    ],
    ['no configuration', { configuration: undefined }, ['configuration']],
    ['a connection string', { configuration: 'postgres://u:p@h/d' }, ['configuration']],
    [
      'filters of an unknown kind',
      { filters: { include: { column: ['x'] } } },
      ['filters.include.column'],
    ],
    [
      'an empty filter',
      { filters: { include: { schema: ['x', ''] } } },
      ['filters.include.schema[1]'],
    ],
    ['an unknown secret', { secrets: { pasword: 'x' } }, ['secrets.pasword']],
    ['an empty secret', { secrets: { password: '' } }, ['secrets.password']],
    ['a secret that is a number', { secrets: { password: 1 } }, ['secrets.password']],
    ['a schedule of four fields', { scheduleExpression: '0 6 * *' }, ['scheduleExpression']],
    ['a schedule that is too quick', { scheduleExpression: '* * * * *' }, ['scheduleExpression']],
    ['an unknown time zone', { scheduleExpression: '0 6 * * *', timeZone: 'Mars' }, ['timeZone']],
    ['an unknown time zone without a schedule', { timeZone: 'Mars' }, ['timeZone']],
    ['an unknown team', { owningTeamExternalId: 'nobody' }, ['owningTeamExternalId']],
    [
      'several at once',
      { name: '', owningTeamExternalId: 'nobody', configuration: {}, externalId: 'test' },
      ['configuration.host', 'configuration.user', 'externalId', 'name', 'owningTeamExternalId'],
    ],
    ...[
      'ingest',
      'unity-catalog-metadata',
      'test',
      'schedule',
      'scopes',
      'latest',
      '',
      '.',
      'a/b',
      'http://x',
      'x'.repeat(257),
    ].map((externalId): [string, object, string[]] => [
      `the id ${externalId.slice(0, 30)}`,
      { externalId },
      ['externalId'],
    ]),
  ]
  for (const [what, more, fields] of REFUSED) {
    test(`POST ${ROOM} › 422 for ${what}`, async () => {
      const body = integrationBody({ externalId: uniqueId(), ...more })
      const problem = await expectProblem(create(body), 422)
      assert.deepEqual(splitFields(problem), fields)
    })
  }
  test(`POST ${ROOM} › 422 for a body that is not an object`, async () => {
    for (const body of ['[]', '1', 'null', '"x"'])
      await expectProblem(as('Uo', 'POST', ROOM, body), 422)
  })

  test(`POST ${ROOM} › 403 without INGESTION_EDIT on the team, or for an organization's one`, async () => {
    await expectProblem(createFor('b', 'Ue'), 403, /INGESTION_EDIT on team b/)
    await expectProblem(createFor(undefined, 'Ue'), 403, /owners of the organization/)
    await expectProblem(createFor('a', 'Um'), 403, /INGESTION_EDIT/)
    await expectProblem(createFor('nobody', 'Um'), 403, /INGESTION_EDIT/)
    await expectProblem(createFor('nobody', 'Ue'), 422, /Unknown team "nobody"/)
    assert.equal((await createFor('b', 'Uo')).status, 201)
  })

  test(`POST ${ROOM} › creates one of twenty concurrent integrations with one id, the others get 409`, async () => {
    const externalId = uniqueId()
    const requests = Array.from({ length: 20 }, () => create(integrationBody({ externalId })))
    const statuses = (await Promise.all(requests)).map(({ status }) => String(status)).toSorted()
    assert.deepEqual(statuses, ['201', ...Array.from({ length: 19 }, () => '409')])
    const { id } = await readRow(externalId)
    const secrets = await openCredentials(
      store().db,
      world.services.secretBox,
      world.organizationId,
      id,
    )
    assert.deepEqual(Object.keys(secrets), ['password'])
  })

  test(`GET ${ROOM}/{externalId} › 200 if it is visible, 404 otherwise`, async () => {
    const ofA = await addIntegration(world, 'a')
    const ofB = await addIntegration(world, 'b')
    const ofNobody = await addIntegration(world, null)
    const seen = async (person: PersonName): Promise<string[]> =>
      await Promise.all([ofA, ofB, ofNobody, 'unknown'].map((id) => readView(person, id)))
    assert.deepEqual(await seen('Uo'), ['edit', 'edit', 'edit', '404'])
    assert.deepEqual(await seen('Ue'), ['edit', '404', 'see', '404'])
    assert.deepEqual(await seen('Um'), ['see', '404', 'see', '404'])
  })

  test(`PUT ${ROOM}/{externalId} › replaces the settings and keeps the secrets`, async () => {
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

  test(`PUT ${ROOM}/{externalId} › accepts the result of GET`, async () => {
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

  test(`PUT ${ROOM}/{externalId} › sets the secrets that are sent, and removes those that are null`, async () => {
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
    test(`PUT ${ROOM}/{externalId} › 422 if the ${field} changes and the secrets are not sent again`, async () => {
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
    test(`POST ${ROOM}/{externalId}/test › 422 for a draft that changes the ${field} without the secrets`, async () => {
      const id = await addIntegration(world, 'a')
      const { configuration } = await get(id)
      const draft = {
        owningTeamExternalId: 'a',
        configuration: { ...configuration, [field]: value },
      }
      for (const verb of ['test', 'scopes']) {
        const tried = as('Ue', 'POST', `${ROOM}/${id}/${verb}`, draft)
        await expectProblem(tried, 422, /Enter it again/)
      }
    })
  }

  test(`PUT ${ROOM}/{externalId} › 422 for another id or another source`, async () => {
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

  test(`PUT ${ROOM}/{externalId} › 412 if it was changed in the meantime`, async () => {
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

  test(`PUT ${ROOM}/{externalId} › 403 without INGESTION_EDIT on the old and the new team`, async () => {
    const ofA = await addIntegration(world, 'a')
    const ofB = await addIntegration(world, 'b')
    await readText(moveTo('Ue', ofA, 'a'))
    await expectProblem(moveTo('Ue', ofA, 'b'), 403)
    await expectProblem(moveTo('Ue', ofA, null), 403)
    await expectProblem(moveTo('Ue', ofB, 'a'), 403)
    await expectProblem(moveTo('Um', ofA, 'a'), 403)
    await expectProblem(moveTo('Ue', ofA, 'nobody'), 422)
    await expectProblem(moveTo('Ue', 'unknown', 'a'), 404)
  })

  test(`POST ${ROOM}/{externalId}/disable and enable › turn the schedule off and on`, async () => {
    const id = await addIntegration(world, 'a', { scheduleExpression: '0 6 * * *' })
    const due = (await readRow(id)).next_due_at
    const off = await readJson<Form>(as('Ue', 'POST', `${ROOM}/${id}/disable`))
    assert.partialDeepStrictEqual(off, { enabled: false, nextTimes: [], version: 2 })
    assert.equal((await readRow(id)).next_due_at, null)
    const on = await readJson<Form>(as('Ue', 'POST', `${ROOM}/${id}/enable`))
    assert.partialDeepStrictEqual(on, { enabled: true, version: 3 })
    assert.equal((await readRow(id)).next_due_at, due)
    for (const verb of ['enable', 'disable']) {
      await expectProblem(as('Um', 'POST', `${ROOM}/${id}/${verb}`), 403)
      await expectProblem(as('Uo', 'POST', `${ROOM}/unknown/${verb}`), 404)
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
      const { configuration } = paused
      const body = {
        name: 'N',
        owningTeamExternalId: 'a',
        configuration,
        scheduleExpression: '0 7 * * *',
      }
      if (resume === 'enable') await readText(as('Ue', 'POST', `${ROOM}/${id}/enable`))
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
      later.call('PUT', `${ROOM}/${id}`, {
        body: integrationBody({ ...schedule, ...more }),
        headers: withSession(early.sessions.Uo),
      })
    await readText(change({ name: 'Renamed' }))
    assert.equal(await dueAt(), '2031-03-01T06:00:30.000000Z')
    await readText(change({ scheduleExpression: '30 0 7 * * ?' }))
    assert.equal(await dueAt(), '2031-03-01T07:00:30.000000Z')
  })

  test(`DELETE ${ROOM}/{externalId} › 200, with secrets and runs; it is gone`, async () => {
    for (const assets of ['keep', 'delete']) {
      const id = await addIntegration(world, 'a')
      const { id: internal } = await readRow(id)
      await expectProblem(as('Um', 'DELETE', `${ROOM}/${id}?assets=${assets}`), 403)
      await expectProblem(as('Ue', 'DELETE', `${ROOM}/${id}`), 400, /assets must be keep or delete/)
      await expectProblem(as('Ue', 'DELETE', `${ROOM}/${id}?assets=maybe`), 400)
      const stale = { headers: { 'if-match': '"9"' } }
      await expectProblem(
        as('Ue', 'DELETE', `${ROOM}/${id}?assets=${assets}`, undefined, stale),
        412,
      )
      await readText(as('Ue', 'DELETE', `${ROOM}/${id}?assets=${assets}`))
      await expectProblem(as('Uo', 'GET', `${ROOM}/${id}`), 404)
      await expectProblem(as('Uo', 'DELETE', `${ROOM}/${id}?assets=${assets}`), 404)
      const { rows } = await sql`select from credential where integration_id = ${internal}`.execute(
        store().db,
      )
      assert.equal(rows.length, 0)
    }
  })

  test(`DELETE ${ROOM}/{externalId} › 409 while a run is in progress, and 200 after it`, async () => {
    const id = await addIntegration(world, 'a')
    const { id: integrationId } = await readRow(id)
    const run = {
      organizationId: world.organizationId,
      id: crypto.randomUUID(),
      integrationId,
      kind: 'ingest' as const,
      principal: 'system',
      forced: false,
    }
    await insertRun(store().db, world.services.clock, run)
    await expectProblem(as('Uo', 'DELETE', `${ROOM}/${id}?assets=keep`), 409, /run is in progress/)
    await readText(world.as('O', 'POST', `/api/integrations/${id}/cancel`), 204)
    await readText(as('Uo', 'DELETE', `${ROOM}/${id}?assets=keep`))
  })

  test(`DELETE ${ROOM}/{externalId} › concurrent with triggers: either it is gone or a run is in progress`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await addIntegration(world, 'a')
      const trigger = (): Promise<Response> => world.as('O', 'POST', `/api/integrations/${id}/run`)
      const requests = [trigger(), as('Uo', 'DELETE', `${ROOM}/${id}?assets=keep`), trigger()]
      const [first, deleted, second] = (await Promise.all(requests)).map(({ status }) => status)
      const runs = [first, second].filter((status) => status === 202).length
      assert.ok(
        deleted === 200 ? runs === 0 : deleted === 409 && runs === 1,
        `${first} ${deleted} ${second}`,
      )
      for (const status of [first, second]) assert.ok([202, 404, 409].includes(status ?? 0))
    }
  })

  test('DELETE /api/teams/{id} › 422 while the team owns an integration', async () => {
    const team = uniqueId()
    await readText(world.as('O', 'PUT', `/api/teams/${team}`, { body: { name: team } }))
    const id = await addIntegration(world, team)
    await expectProblem(
      world.as('O', 'DELETE', `/api/teams/${team}`),
      422,
      new RegExp(`integration ${id}`),
    )
    await readText(as('Uo', 'DELETE', `${ROOM}/${id}?assets=keep`))
    await readText(world.as('O', 'DELETE', `/api/teams/${team}`))
  })

  test('another organization › its integrations are invisible', async () => {
    const other = await newWorld(world)
    const id = await addIntegration(other, 'a')
    const requests: [string, string, unknown][] = [
      ['GET', `${ROOM}/${id}`, undefined],
      ['PUT', `${ROOM}/${id}`, integrationBody()],
      ['DELETE', `${ROOM}/${id}?assets=delete`, undefined],
      ['POST', `${ROOM}/${id}/enable`, undefined],
      ['POST', `${ROOM}/${id}/test`, undefined],
      ['POST', `${ROOM}/${id}/scopes`, undefined],
    ]
    for (const [method, path, body] of requests) {
      const theirs = await expectProblem(as('Uo', method, path, body), 404)
      const nobodys = await expectProblem(as('Uo', method, path.replace(id, 'unknown'), body), 404)
      assert.deepEqual({ ...theirs, instance: '' }, { ...nobodys, instance: '' })
    }
    assert.equal((await create(integrationBody({ externalId: id }))).status, 201)
    assert.equal((await readJson<Form>(other.asPerson('Uo', 'GET', `${ROOM}/${id}`))).version, 1)
  })
})
