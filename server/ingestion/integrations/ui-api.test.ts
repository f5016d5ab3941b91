import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import {
  INTEGRATIONS,
  addIntegration,
  integrationBody,
  openPages,
  splitFields,
  type Form,
} from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import { openCredentials } from './service.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const { as, create, get, readRow } = openPages(() => world)
  const createFor = (owner: string | undefined, person: PersonName): Promise<Response> =>
    create(integrationBody({ owningTeamExternalId: owner }), person)
  const readView = async (person: PersonName, id: string): Promise<string> => {
    const response = await as(person, 'GET', `${INTEGRATIONS}/${id}`)
    if (response.status !== 200) return String(response.status)
    return ((await response.json()) as Form).mayEdit ? 'edit' : 'see'
  }

  test(`POST ${INTEGRATIONS} › 201 with the stored integration, including defaults`, async () => {
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

  test(`POST ${INTEGRATIONS} › derives a missing id from the name, with a suffix if it is taken`, async () => {
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
    ['an unknown team', { owningTeamExternalId: 'unknown' }, ['owningTeamExternalId']],
    [
      'several at once',
      { name: '', owningTeamExternalId: 'unknown', configuration: {}, externalId: 'test' },
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
    test(`POST ${INTEGRATIONS} › 422 for ${what}`, async () => {
      const body = integrationBody({ externalId: uniqueId(), ...more })
      const problem = await expectProblem(create(body), 422)
      assert.deepEqual(splitFields(problem), fields)
    })
  }
  test(`POST ${INTEGRATIONS} › 422 for a body that is not an object`, async () => {
    for (const body of ['[]', '1', 'null', '"x"'])
      await expectProblem(as('Uo', 'POST', INTEGRATIONS, body), 422)
  })

  test(`POST ${INTEGRATIONS} › 403 without INGESTION_EDIT on the team, or for an organization's one`, async () => {
    await expectProblem(createFor('b', 'Ue'), 403, /INGESTION_EDIT on team b/)
    await expectProblem(createFor(undefined, 'Ue'), 403, /owners of the organization/)
    await expectProblem(createFor('a', 'Um'), 403, /INGESTION_EDIT/)
    await expectProblem(createFor('unknown', 'Um'), 403, /INGESTION_EDIT/)
    await expectProblem(createFor('unknown', 'Ue'), 422, /Unknown team "unknown"/)
    assert.equal((await createFor('b', 'Uo')).status, 201)
  })

  test(`POST ${INTEGRATIONS} › creates one of twenty concurrent integrations with one id, the others get 409`, async () => {
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

  test(`GET ${INTEGRATIONS}/{externalId} › 200 if it is visible, 404 otherwise`, async () => {
    const ofA = await addIntegration(world, 'a')
    const ofB = await addIntegration(world, 'b')
    const ofNobody = await addIntegration(world, null)
    const seen = async (person: PersonName): Promise<string[]> =>
      await Promise.all([ofA, ofB, ofNobody, 'unknown'].map((id) => readView(person, id)))
    assert.deepEqual(await seen('Uo'), ['edit', 'edit', 'edit', '404'])
    assert.deepEqual(await seen('Ue'), ['edit', '404', 'see', '404'])
    assert.deepEqual(await seen('Um'), ['see', '404', 'see', '404'])
  })

  test('another organization › its integrations are invisible', async () => {
    const other = await newWorld(world)
    const id = await addIntegration(other, 'a')
    const requests: [string, string, unknown][] = [
      ['GET', `${INTEGRATIONS}/${id}`, undefined],
      ['PUT', `${INTEGRATIONS}/${id}`, integrationBody()],
      ['DELETE', `${INTEGRATIONS}/${id}?assets=delete`, undefined],
      ['POST', `${INTEGRATIONS}/${id}/enable`, undefined],
      ['POST', `${INTEGRATIONS}/${id}/test`, undefined],
      ['POST', `${INTEGRATIONS}/${id}/scopes`, undefined],
    ]
    for (const [method, path, body] of requests) {
      const theirs = await expectProblem(as('Uo', method, path, body), 404)
      const nobodys = await expectProblem(as('Uo', method, path.replace(id, 'unknown'), body), 404)
      assert.deepEqual({ ...theirs, instance: '' }, { ...nobodys, instance: '' })
    }
    assert.equal((await create(integrationBody({ externalId: id }))).status, 201)
    assert.equal(
      (await readJson<Form>(other.asPerson('Uo', 'GET', `${INTEGRATIONS}/${id}`))).version,
      1,
    )
  })
})
