import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { addIntegration } from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { insertRun } from '../runs/run-store.ts'

interface Listed {
  externalId: string
  source: string
  enabled: boolean
  assetOwnerTeamExternalId: string | null
  owningTeamExternalId: string | null
  latestRun: { ingestionRunId: string; status: string; startedAt: string } | null
  configuration?: object
}

onStore((store) => {
  for (const room of ['/api/integrations', '/api/integrations/ingest']) {
    describe(room, () => {
      let world: World
      let ofA: string
      let belowA: string
      let ofB: string
      let ofNobody: string
      before(async () => {
        world = await newWorld(newProduct(store()))
        const team = await world.as('O', 'PUT', '/api/teams/below', {
          body: { name: 'C', parent: 'a' },
        })
        assert.equal(team.status, 200)
        ofA = await addIntegration(world, 'a', { enabled: false })
        belowA = await addIntegration(world, 'below', { source: 'mysql' })
        ofB = await addIntegration(world, 'b')
        ofNobody = await addIntegration(world, null)
      })

      const list = (caller: CallerName, query = ''): Promise<Listed[]> =>
        readJson<Listed[]>(world.as(caller, 'GET', `${room}${query}`))
      const listIds = async (caller: CallerName, query = ''): Promise<string[]> =>
        (await list(caller, query)).map(({ externalId }) => externalId)

      async function addRun(externalId: string): Promise<string> {
        const { db } = store()
        const { id } = await db
          .selectFrom('integration')
          .select('id')
          .where('organization_id', '=', world.organizationId)
          .where('external_id', '=', externalId)
          .executeTakeFirstOrThrow()
        const run = {
          organizationId: world.organizationId,
          id: crypto.randomUUID(),
          integrationId: id,
          kind: 'ingest' as const,
          principal: 'system',
          forced: false,
        }
        assert.ok(await insertRun(db, world.services.clock, run))
        await db
          .updateTable('ingestion_run')
          .set({ status: 'FAILED', completed_at: '2031-01-01T00:00:00Z', message: 'It failed.' })
          .where('id', '=', run.id)
          .execute()
        return run.id
      }

      test(`GET ${room} › 200 with the visible integrations, sorted by creation`, async () => {
        const all = [ofA, belowA, ofB, ofNobody]
        for (const caller of ['Uo', 'O', 'Or'] as const)
          assert.deepEqual(await listIds(caller), all)
        for (const caller of ['Ue', 'Um', 'Ur'] as const) {
          assert.deepEqual(await listIds(caller), [ofA, belowA, ofNobody])
        }
        for (const caller of ['T', 'Tr'] as const)
          assert.deepEqual(await listIds(caller), [ofA, belowA])
      })

      test(`GET ${room} › 200 with integrations that match every filter`, async () => {
        const cases: [string, string[]][] = [
          ['?owningTeamExternalId=a', [ofA]],
          ['?owningTeamExternalId=unknown', []],
          ['?source=mysql', [belowA]],
          ['?source=snowflake', []],
          ['?enabled=false', [ofA]],
          ['?enabled=true', [belowA, ofB, ofNobody]],
          ['?enabled=true&source=postgres&owningTeamExternalId=b', [ofB]],
          ['?p=1', []],
        ]
        for (const [query, expected] of cases)
          assert.deepEqual(await listIds('O', query), expected, query)
        assert.deepEqual(await listIds('T', '?owningTeamExternalId=b'), [])
      })

      for (const query of [
        'source=oracle',
        'source=',
        'source=mysql&source=postgres',
        'enabled=yes',
        'enabled=',
        'p=-1',
      ]) {
        test(`GET ${room}?${query} › 400`, async () => {
          await expectProblem(world.as('O', 'GET', `${room}?${query}`), 400)
        })
      }

      test(`GET ${room} › returns the last run or null, but no configuration`, async () => {
        const before = (await list('O')).find(({ externalId }) => externalId === ofB)
        assert.partialDeepStrictEqual(before, {
          enabled: true,
          assetOwnerTeamExternalId: 'b',
          owningTeamExternalId: 'b',
          latestRun: null,
        })
        assert.ok(!('configuration' in (before ?? {})))
        await addRun(ofB)
        const last = await addRun(ofB)
        await addRun(ofA)
        const after = (await list('O')).find(({ externalId }) => externalId === ofB)
        assert.partialDeepStrictEqual(after?.latestRun, {
          ingestionRunId: last,
          integrationExternalId: ofB,
          status: 'FAILED',
          message: 'It failed.',
          assetsProcessed: 0,
          completedAt: '2031-01-01T00:00:00.000000Z',
        })
        assert.match(after?.latestRun?.startedAt ?? '', /^\d{4}-.*Z$/)
      })

      test(`GET ${room}/{externalId} › 200 with its configuration and filters, without secrets`, async () => {
        const canary = `canary-${uniqueId()}`
        const filters = { include: { schema: ['s*'] }, exclude: {} }
        const id = await addIntegration(world, 'a', { filters, secrets: { password: canary } })
        const response = await world.as('Tr', 'GET', `${room}/${id}`)
        assert.equal(
          response.headers.get('location-html'),
          `http://portbook.test/integrations/${id}`,
        )
        const text = await readText(Promise.resolve(response))
        assert.ok(!text.includes(canary) && !text.includes('password'))
        assert.partialDeepStrictEqual(JSON.parse(text), {
          externalId: id,
          name: 'Sales',
          source: 'postgres',
          assetOwnerTeamExternalId: 'a',
          owningTeamExternalId: 'a',
          configuration: { host: 'db.portbook.test', port: 5432, user: 'reader', filters },
          latestRun: null,
        })
      })

      test(`GET ${room}/{externalId} › 404 for an unknown or invisible integration, or one of another organization`, async () => {
        const other = await newWorld(world)
        const theirs = await addIntegration(other, 'a')
        for (const [caller, id] of [
          ['O', 'unknown'],
          ['O', theirs],
          ['O', 'ingest'],
          ['Ue', ofB],
          ['T', ofB],
          ['T', ofNobody],
        ] as const) {
          if (id === 'ingest' && room === '/api/integrations') continue
          await expectProblem(world.as(caller, 'GET', `${room}/${id}`), 404)
        }
        await readText(world.as('Um', 'GET', `${room}/${ofNobody}`))
      })
    })
  }

  test('GET /api/integrations › sources unknown to strict clients only on request', async () => {
    const world = await newWorld(newProduct(store()))
    const id = await addIntegration(world, null)
    await store()
      .db.updateTable('integration')
      .set({ source: 'iceberg' })
      .where('external_id', '=', id)
      .execute()
    const idsAt = async (path: string): Promise<string[]> =>
      (await readJson<Listed[]>(world.as('O', 'GET', path))).map(({ externalId }) => externalId)
    assert.deepEqual(await idsAt('/api/integrations'), [])
    assert.deepEqual(await idsAt('/api/integrations?source=iceberg'), [id])
    assert.deepEqual(await idsAt('/api/integrations/ingest'), [id])
    assert.deepEqual(await idsAt('/api/integrations/ingest?source=postgres'), [])
    await readText(world.as('O', 'GET', `/api/integrations/${id}`))
  })

  test('GET /api/integrations › links to the next page', async () => {
    const world = await newWorld(newProduct(store()))
    const { db } = store()
    const row = (index: number) => ({
      organization_id: world.organizationId,
      id: crypto.randomUUID(),
      external_id: `i-${String(index).padStart(4, '0')}`,
      name: 'N',
      source: 'postgres',
      configuration: '{}',
      schedule_time_zone: 'UTC',
      enabled: true,
      version: 1,
      created_at: '2031-01-01T00:00:00Z',
      updated_at: '2031-01-01T00:00:00Z',
      updated_by: 'system',
    })
    await db
      .insertInto('integration')
      .values(Array.from({ length: 1001 }, (_, index) => row(index)))
      .execute()
    const first = await world.as('O', 'GET', '/api/integrations?enabled=true')
    assert.equal(first.headers.get('link'), '</api/integrations?enabled=true&p=1>; rel="next"')
    assert.equal(((await first.json()) as Listed[]).length, 1000)
    const second = await world.as('O', 'GET', '/api/integrations?enabled=true&p=1')
    assert.equal(second.headers.get('link'), null)
    assert.deepEqual(
      ((await second.json()) as Listed[]).map(({ externalId }) => externalId),
      ['i-1000'],
    )
  })
})
