import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText, type Problem } from '../../../test/answers.ts'
import { addIntegration, integrationBody } from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { PersonName, World } from '../../../test/world.ts'
import { openCredentials } from './service.ts'

const INTEGRATIONS = '/ui/integrations'

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
  ): Promise<Response> => world.asPerson(person, method, path, { body })

  const tryHost = async (host: string, verb = 'test'): Promise<string> =>
    await readText(
      as('Ue', 'POST', `${INTEGRATIONS}/${verb}`, {
        source: 'postgres',
        owningTeamExternalId: 'a',
        configuration: { host, port: 1, user: 'u', sslMode: 'disable' },
        secrets: { password: 'x' },
      }),
    )
  const explain = (body: unknown): Promise<Response> =>
    as('Um', 'POST', `${INTEGRATIONS}/schedule`, body)

  async function readSecrets(externalId: string): Promise<Record<string, string>> {
    const { db } = store()
    const row = db.selectFrom('integration').select('id').where('external_id', '=', externalId)
    const { id } = await row.executeTakeFirstOrThrow()
    return await openCredentials(db, world.services.secretBox, world.organizationId, id)
  }

  test('secrets › are encrypted in the store, and in no answer or violation', async () => {
    const canary = `canary-${uniqueId()}`
    const id = uniqueId()
    const secrets = { password: canary }
    const body = integrationBody({
      externalId: id,
      secrets,
      configuration: { host: '127.0.0.1', port: 1, user: 'u', sslMode: 'disable' },
    })
    const drafts: [string, string, unknown][] = [
      ['POST', INTEGRATIONS, body],
      ['GET', `${INTEGRATIONS}/${id}`, undefined],
      ['PUT', `${INTEGRATIONS}/${id}`, { ...body, name: '' }],
      ['PUT', `${INTEGRATIONS}/${id}`, body],
      ['POST', INTEGRATIONS, { ...body, secrets: { password: canary, clientKey: [canary] } }],
      ['POST', INTEGRATIONS, { ...body, externalId: 'test' }],
      ['POST', INTEGRATIONS, body],
      ['POST', `${INTEGRATIONS}/${id}/test`, undefined],
      ['POST', `${INTEGRATIONS}/test`, body],
      ['POST', `${INTEGRATIONS}/${id}/scopes`, undefined],
      ['POST', `${INTEGRATIONS}/scopes`, body],
      ['GET', `/api/integrations/${id}`, undefined],
      ['GET', '/api/integrations/ingest', undefined],
      ['POST', `${INTEGRATIONS}/${id}/enable`, undefined],
    ]
    const statuses: number[] = []
    for (const [method, path, sent] of drafts) {
      const response = await as('Uo', method, path, sent)
      statuses.push(response.status)
      const text = `${JSON.stringify([...response.headers])}${await response.text()}`
      assert.ok(!text.includes(canary), `${method} ${path}: ${text}`)
    }
    assert.deepEqual(
      statuses,
      [201, 200, 422, 200, 422, 422, 409, 200, 200, 200, 200, 200, 200, 200],
    )
    for (const table of ['integration', 'credential']) {
      const { rows } = await store().pool.query(`select ${table}::text as row from ${table}`)
      const text = JSON.stringify(rows)
      assert.ok(!text.includes(canary) && !text.includes(Buffer.from(canary).toString('hex')))
    }
    assert.deepEqual(await readSecrets(id), secrets)
  })

  test(`POST ${INTEGRATIONS}/test › 200 with findings about an unreachable source, in our wording`, async () => {
    for (const host of ['127.0.0.1', '169.254.169.254', '0.0.0.0', 'nowhere.invalid']) {
      const { ok, findings } = JSON.parse(await tryHost(host))
      assert.equal(ok, false)
      assert.ok(findings.length > 0)
      assert.ok(!JSON.stringify(findings).includes('Error'), JSON.stringify(findings))
      const preview = JSON.parse(await tryHost(host, 'scopes'))
      assert.deepEqual([preview.scopes, typeof preview.problem], [[], 'string'])
    }
  })

  test(`POST ${INTEGRATIONS}/{id}/test and scopes › 422 for a secret that was sealed with another key, unless the draft has a new one`, async () => {
    const configuration = { host: '169.254.169.254', port: 1, user: 'u', sslMode: 'disable' }
    const id = await addIntegration(world, 'a', { configuration })
    const sealed = Buffer.alloc(40, 1)
    const { db } = store()
    const row = db.selectFrom('integration').select('id').where('external_id', '=', id)
    await db.updateTable('credential').set({ sealed }).where('integration_id', '=', row).execute()
    for (const verb of ['test', 'scopes']) {
      for (const body of [undefined, integrationBody({ configuration, secrets: {} })]) {
        const problem = await expectProblem(
          as('Uo', 'POST', `${INTEGRATIONS}/${id}/${verb}`, body),
          422,
        )
        assert.deepEqual(splitFields(problem), ['secrets.password'])
        assert.match(problem.detail, /stored value was encrypted with another key/)
      }
      const body = integrationBody({ configuration, owningTeamExternalId: 'a' })
      await readJson(as('Uo', 'POST', `${INTEGRATIONS}/${id}/${verb}`, body), 200)
    }
  })

  test(`POST ${INTEGRATIONS}/test and scopes › 403, 404, 422 like the integration itself`, async () => {
    const ofB = await addIntegration(world, 'b')
    for (const verb of ['test', 'scopes']) {
      const body = integrationBody({ owningTeamExternalId: 'b' })
      await expectProblem(as('Ue', 'POST', `${INTEGRATIONS}/${verb}`, body), 403)
      await expectProblem(as('Ue', 'POST', `${INTEGRATIONS}/${ofB}/${verb}`), 404)
      await expectProblem(as('Um', 'POST', `${INTEGRATIONS}/${verb}`, body), 403)
      await expectProblem(as('Uo', 'POST', `${INTEGRATIONS}/unknown/${verb}`), 404)
      const problem = await expectProblem(
        as('Uo', 'POST', `${INTEGRATIONS}/${verb}`, {
          source: 'postgres',
          configuration: {},
          secrets: { x: 'y' },
        }),
        422,
      )
      assert.deepEqual(splitFields(problem), [
        'configuration.host',
        'configuration.user',
        'secrets.x',
      ])
    }
  })

  test(`POST ${INTEGRATIONS}/schedule › 200 with the next three times, 422 for an invalid schedule`, async () => {
    const { nextTimes } = await readJson<{ nextTimes: string[] }>(
      explain({ scheduleExpression: '0 6 * * *', timeZone: 'Asia/Tokyo' }),
    )
    assert.equal(nextTimes.length, 3)
    for (const time of nextTimes) assert.match(time, /T21:00:00\.000000Z$/)
    const wrong: [object, string][] = [
      [{ scheduleExpression: 'x' }, 'scheduleExpression'],
      [{ scheduleExpression: 1 }, 'scheduleExpression'],
      [{ scheduleExpression: '0 6 * * *', timeZone: 'Mars' }, 'timeZone'],
      [{}, 'scheduleExpression'],
    ]
    for (const [body, field] of wrong) {
      assert.deepEqual(splitFields(await expectProblem(explain(body), 422)), [field])
    }
  })

  test('GET /ui/sources › 200 with the settings of every connector', async () => {
    const sources = await readJson<
      {
        source: string
        title: string
        configuration: { properties: object; required: string[] }
        secrets: object[]
      }[]
    >(as('Um', 'GET', '/ui/sources'))
    const postgres = sources.find(({ source }) => source === 'postgres')
    assert.ok(postgres)
    assert.equal(postgres.title, 'PostgreSQL')
    assert.ok('host' in postgres.configuration.properties)
    assert.deepEqual(postgres.configuration.required, ['host', 'user'])
    assert.ok(postgres.secrets.length > 0)
  })
})
