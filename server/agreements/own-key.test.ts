/** A person decides on no own request through a key of a team that the person created. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { addProvider, buildAgreement } from '../../test/agreements.ts'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { newMember } from '../../test/people.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../test/world.ts'

onStore((store) => {
  let world: World
  /** An Approver of team A and an Editor of team B, with a key of each. */
  let approver: Awaited<ReturnType<typeof newMember>>
  let keyOfA: string
  let keyOfB: string
  before(async () => {
    world = await newWorld(newProduct(store()))
    approver = await newMember(world, world.organizationId)
    const emailAddress = approver.email
    for (const [id, role] of [
      ['a', 'Approver'],
      ['b', 'Editor'],
    ] as const) {
      const body = { name: id, members: [{ emailAddress, role }] }
      await expectOk(world.as('O', 'PUT', `/api/teams/${id}`, { body }))
    }
    keyOfA = await createKey('a')
    keyOfB = await createKey('b')
  })

  async function createKey(teamId: string): Promise<string> {
    const body = { scope: 'team', teamId, displayName: 'K' }
    const created = approver.browser.ask('POST', '/ui/api-keys', body)
    return (await readJson<{ key: string }>(created, 201)).key
  }

  const asKey = (key: string, method: string, path: string, body: unknown): Promise<Response> =>
    world.call(method, path, { key, body })

  test('POST /api/access/{id}/approve › 403 for the own request, by the key', async () => {
    const product = await addProvider(world, 'a')
    const path = `/api/access/${uniqueId()}`
    const body = buildAgreement(product, { userId: approver.email })
    await readText(approver.browser.ask('PUT', path, body))
    await expectProblem(asKey(keyOfA, 'POST', `${path}/approve`, {}), 403, /own request/)
    await readText(world.as('T', 'POST', `${path}/approve`, { body: {} }))
  })

  test('POST /api/access/{id}/approve › 403 for a request by the own key, by the person', async () => {
    const product = await addProvider(world, 'a')
    const path = `/api/access/${uniqueId()}`
    await readText(asKey(keyOfB, 'PUT', path, buildAgreement(product, { teamId: 'b' })))
    const approved = approver.browser.ask('POST', `${path}/approve`, {})
    await expectProblem(approved, 403, /own request/)
    await expectProblem(asKey(keyOfA, 'POST', `${path}/approve`, {}), 403, /own request/)
  })

  test('PUT /api/dataproducts/{id} › a port that the own key made approve leaves the own request open', async () => {
    const id = uniqueId()
    const customProperties = [{ property: 'autoApprove', value: true }]
    const outputPorts = [{ id: 'out', name: 'out', version: '1', customProperties }]
    await readText(asKey(keyOfA, 'PUT', `/api/dataproducts/${id}`, odps(id, { outputPorts })))
    const request = `/api/dataproducts/${id}/outputports/out/request-access`
    const asked = approver.browser.ask('POST', request, { purpose: 'P' })
    assert.equal((await readJson<{ status: string }>(asked)).status, 'requested')
    const other = world.asPerson('Um', 'POST', request, { body: { purpose: 'P' } })
    assert.equal((await readJson<{ status: string }>(other)).status, 'active')
    const path = `/api/access/${uniqueId()}`
    const body = buildAgreement(id, { teamId: 'b' })
    await readText(asKey(keyOfB, 'PUT', path, body))
    const agreement = await readJson<{ info: { status: string } }>(world.as('O', 'GET', path))
    assert.notEqual(agreement.info.status, 'approved')
  })
})
