import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'

const BASES = ['/api/integrations', '/api/integrations/ingest'] as const
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

interface Run {
  ingestionRunId: string
  status: string
  startedAt: string
  startedBy: string
  completedAt: string | null
}

async function readJson<T>(response: Response): Promise<T> {
  return (await response.json()) as T
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  async function newIntegration(owner: string | null = 'a'): Promise<string> {
    const externalId = `warehouse-${uniqueId()}`
    const response = await world.asPerson('Uo', 'POST', '/ui/integrations', {
      body: {
        externalId,
        name: 'Warehouse',
        source: 'postgres',
        owningTeamExternalId: owner,
        configuration: { host: 'db.example', user: 'reader' },
      },
    })
    assert.equal(response.status, 201, await response.clone().text())
    return externalId
  }

  async function get(path: string): Promise<Response> {
    return await world.as('O', 'GET', path)
  }

  for (const base of BASES) {
    test(`POST ${base}/{externalId}/run › 202 after the run was created as RUNNING`, async () => {
      const id = await newIntegration()
      const response = await world.as('O', 'POST', `${base}/${id}/run`)
      assert.equal(response.status, 202)
      const scheduled = await readJson<Record<string, unknown>>(response)
      assert.equal(scheduled['integrationExternalId'], id)
      assert.equal(scheduled['deferred'], false)
      assert.equal(typeof scheduled['message'], 'string')
      const latest = await readJson<Run>(await get(`${base}/${id}/runs/latest`))
      assert.deepEqual([latest.status, latest.completedAt], ['RUNNING', null])
      assert.match(latest.ingestionRunId, UUID)
      assert.equal(latest.startedAt, scheduled['scheduledAt'])
      assert.match(latest.startedBy, /^api-key:/)
      const [listed] = await readJson<Run[]>(await get(`${base}/${id}/runs`))
      assert.deepEqual(listed, latest)
      const one = await get(`${base}/${id}/runs/${latest.ingestionRunId}`)
      assert.deepEqual(await readJson<Run>(one), latest)
    })

    test(`POST ${base}/{externalId}/run › 409 in plain JSON while one is in progress`, async () => {
      const id = await newIntegration()
      await world.as('O', 'POST', `${base}/${id}/run`)
      const response = await world.as('O', 'POST', `${base}/${id}/run`)
      assert.equal(response.status, 409)
      assert.equal(response.headers.get('content-type'), 'application/json')
      const answer = await readJson<{ status: string; message: string }>(response)
      assert.equal(answer.status, 'already_running')
      assert.match(answer.message, /in progress/)
    })

    test(`POST ${base}/{externalId}/cancel › 204, also when nothing runs`, async () => {
      const id = await newIntegration()
      const none = await world.as('O', 'POST', `${base}/${id}/cancel`)
      assert.deepEqual([none.status, await none.text()], [204, ''])
      await world.as('O', 'POST', `${base}/${id}/run`)
      assert.equal((await world.as('O', 'POST', `${base}/${id}/cancel`)).status, 204)
      const latest = await readJson<Run>(await get(`${base}/${id}/runs/latest`))
      assert.equal(latest.status, 'CANCELLED')
      assert.notEqual(latest.completedAt, null)
      assert.equal((await world.as('O', 'POST', `${base}/${id}/run`)).status, 202)
    })

    test(`GET ${base}/{externalId}/runs/latest › the last ingestion, without previews and corrections`, async () => {
      const id = await newIntegration()
      await world.as('O', 'POST', `${base}/${id}/run`)
      await world.as('O', 'POST', `${base}/${id}/cancel`)
      const ingestion = await readJson<Run>(await get(`${base}/${id}/runs/latest`))
      for (const kind of ['preview', 'undo', 'confirm']) {
        await sql`
          insert into ingestion_run (
            organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
            completed_at, progressed_at
          )
          select organization_id, gen_random_uuid(), id, ${kind}, 'SUCCESS', 'publishing', 'test',
            false, clock_timestamp(), now(), now()
          from integration
          where external_id = ${id}
        `.execute(store().db)
      }
      assert.deepEqual(await readJson<Run>(await get(`${base}/${id}/runs/latest`)), ingestion)
      const shown = await readJson<{ latestRun: Run }>(await get(`${base}/${id}`))
      assert.deepEqual(shown.latestRun, ingestion)
      assert.equal((await readJson<Run[]>(await get(`${base}/${id}/runs`))).length, 4)
    })

    test(`GET ${base}/{externalId}/runs/latest › 404 if it never ran`, async () => {
      const id = await newIntegration()
      await expectProblem(get(`${base}/${id}/runs/latest`), 404)
      assert.deepEqual(await readJson(await get(`${base}/${id}/runs`)), [])
    })

    test(`GET ${base}/{externalId}/runs/{ingestionRunId} › 404 for another integration's run and for an invalid UUID`, async () => {
      const [id, other] = [await newIntegration(), await newIntegration()]
      await world.as('O', 'POST', `${base}/${other}/run`)
      const { ingestionRunId } = await readJson<Run>(await get(`${base}/${other}/runs/latest`))
      for (const runId of [ingestionRunId, randomUUID(), 'last', '1', `${ingestionRunId}0`]) {
        await expectProblem(get(`${base}/${id}/runs/${runId}`), 404)
      }
    })

    test(`GET ${base}/{externalId}/runs › newest first, filtered by status, 50 by default and at most 200`, async () => {
      const id = await newIntegration()
      await sql`
        insert into ingestion_run (
          organization_id, id, integration_id, kind, status, phase, principal, forced, started_at,
          completed_at, progressed_at
        )
        select organization_id, gen_random_uuid(), id, 'ingest',
          case when n % 2 = 0 then 'SUCCESS' else 'FAILED' end, 'publishing', 'test', false,
          now() - make_interval(mins => n), now(), now()
        from integration, generate_series(1, 210) as n
        where external_id = ${id}
      `.execute(store().db)
      const list = async (query: string): Promise<Run[]> =>
        await readJson<Run[]>(await get(`${base}/${id}/runs${query}`))
      const usual = await list('')
      assert.equal(usual.length, 50)
      assert.deepEqual(
        usual.map(({ startedAt }) => startedAt),
        usual
          .map(({ startedAt }) => startedAt)
          .toSorted()
          .toReversed(),
      )
      assert.equal((await list('?limit=200')).length, 200)
      assert.equal((await list('?limit=1000000')).length, 200)
      assert.equal((await list('?limit=1')).length, 1)
      const failed = await list('?status=FAILED&limit=200')
      assert.equal(failed.length, 105)
      assert.deepEqual([...new Set(failed.map(({ status }) => status))], ['FAILED'])
      for (const query of [
        '?status=failed',
        '?status=DONE',
        '?status=',
        '?limit=0',
        '?limit=x',
        '?limit=-1',
      ]) {
        await expectProblem(get(`${base}/${id}/runs${query}`), 400)
      }
    })
  }

  test('POST …/run › 403 for a member, 404 for a team that does not see it, and for none', async () => {
    const [ofA, ofB, ofNobody] = [
      await newIntegration('a'),
      await newIntegration('b'),
      await newIntegration(null),
    ]
    for (const verb of ['run', 'cancel']) {
      await expectProblem(world.as('Um', 'POST', `/api/integrations/${ofA}/${verb}`), 403)
      await expectProblem(world.as('T', 'POST', `/api/integrations/${ofB}/${verb}`), 404)
      await expectProblem(world.as('T', 'POST', `/api/integrations/${ofNobody}/${verb}`), 404)
      await expectProblem(world.as('O', 'POST', `/api/integrations/unknown/${verb}`), 404)
    }
  })

  test('POST /ui/integrations/{externalId}/run › starts a preview as a separate kind of run', async () => {
    const id = await newIntegration()
    const start = async (body: object): Promise<Response> =>
      await world.asPerson('Uo', 'POST', `/ui/integrations/${id}/run`, { body })
    const response = await start({ kind: 'preview' })
    assert.equal(response.status, 202)
    assert.equal((await readJson<{ kind: string }>(response)).kind, 'preview')
    await expectProblem(start({}), 409)
    await expectProblem(start({ kind: 'undo' }), 422)
    await expectProblem(start({ kinds: 'preview' }), 422)
  })

  test('POST …/undo, …/confirm, …/reject › 422 for a run without such changes, 404 for an unknown run', async () => {
    const id = await newIntegration()
    await world.as('O', 'POST', `/api/integrations/${id}/run`)
    const { ingestionRunId } = await readJson<Run>(await get(`/api/integrations/${id}/runs/latest`))
    const at = `/ui/integrations/${id}/runs`
    await expectProblem(world.asPerson('Uo', 'POST', `${at}/${ingestionRunId}/undo`), 409)
    await world.as('O', 'POST', `/api/integrations/${id}/cancel`)
    for (const verb of ['undo', 'confirm', 'reject']) {
      await expectProblem(world.asPerson('Uo', 'POST', `${at}/${ingestionRunId}/${verb}`), 422)
      await expectProblem(world.asPerson('Uo', 'POST', `${at}/${randomUUID()}/${verb}`), 404)
      await expectProblem(world.asPerson('Um', 'POST', `${at}/${ingestionRunId}/${verb}`), 403)
    }
    for (const part of ['scopes', 'changes', 'log']) {
      const response = await world.asPerson('Um', 'GET', `${at}/${ingestionRunId}/${part}`)
      assert.equal(response.status, 200)
      assert.deepEqual(await readJson(response), [])
    }
  })
})
