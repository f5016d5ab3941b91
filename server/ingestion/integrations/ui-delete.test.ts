import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readText } from '../../../test/answers.ts'
import { INTEGRATIONS, addIntegration, openPages } from '../../../test/integrations.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import { insertRun } from '../runs/run-store.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const { as, readRow } = openPages(() => world)

  test(`DELETE ${INTEGRATIONS}/{externalId} › 200, with secrets and runs; it is gone`, async () => {
    for (const assets of ['keep', 'delete']) {
      const id = await addIntegration(world, 'a')
      const { id: internal } = await readRow(id)
      await expectProblem(as('Um', 'DELETE', `${INTEGRATIONS}/${id}?assets=${assets}`), 403)
      await expectProblem(
        as('Ue', 'DELETE', `${INTEGRATIONS}/${id}`),
        400,
        /assets must be keep or delete/,
      )
      await expectProblem(as('Ue', 'DELETE', `${INTEGRATIONS}/${id}?assets=maybe`), 400)
      const stale = { headers: { 'if-match': '"9"' } }
      await expectProblem(
        as('Ue', 'DELETE', `${INTEGRATIONS}/${id}?assets=${assets}`, undefined, stale),
        412,
      )
      await readText(as('Ue', 'DELETE', `${INTEGRATIONS}/${id}?assets=${assets}`))
      await expectProblem(as('Uo', 'GET', `${INTEGRATIONS}/${id}`), 404)
      await expectProblem(as('Uo', 'DELETE', `${INTEGRATIONS}/${id}?assets=${assets}`), 404)
      const { rows } = await sql`select from credential where integration_id = ${internal}`.execute(
        store().db,
      )
      assert.equal(rows.length, 0)
    }
  })

  test(`DELETE ${INTEGRATIONS}/{externalId} › 409 while a run is in progress, and 200 after it`, async () => {
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
    await expectProblem(
      as('Uo', 'DELETE', `${INTEGRATIONS}/${id}?assets=keep`),
      409,
      /run is in progress/,
    )
    await readText(world.as('O', 'POST', `/api/integrations/${id}/cancel`), 204)
    await readText(as('Uo', 'DELETE', `${INTEGRATIONS}/${id}?assets=keep`))
  })

  test(`DELETE ${INTEGRATIONS}/{externalId} › concurrent with triggers: either it is gone or a run is in progress`, async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await addIntegration(world, 'a')
      const trigger = (): Promise<Response> => world.as('O', 'POST', `/api/integrations/${id}/run`)
      const requests = [
        trigger(),
        as('Uo', 'DELETE', `${INTEGRATIONS}/${id}?assets=keep`),
        trigger(),
      ]
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
      new RegExp(`integration of the team \\(${id}\\)`),
    )
    await readText(as('Uo', 'DELETE', `${INTEGRATIONS}/${id}?assets=keep`))
    await readText(world.as('O', 'DELETE', `/api/teams/${team}`))
  })
})
