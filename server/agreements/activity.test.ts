import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { listEntries } from '../../test/activity.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, putOne } from '../../test/world.ts'

onStore((store) => {
  test('requests, decisions and deletions of access leave entries of the provider’s team', async () => {
    const world = await newWorld(newProduct(store()))
    const outputPorts = [{ name: 'out', version: '1' }]
    await putOne(world, 'dataproducts', odps('orders', { outputPorts }))
    const id = randomUUID()
    const body = {
      id,
      info: { purpose: 'Reports' },
      provider: { dataProductId: 'orders', outputPortId: 'out' },
      consumer: { teamId: 'b' },
    }
    const requested = await expectOk(world.as('O', 'PUT', `/api/access/${id}`, { body }))
    await expectOk(world.as('O', 'POST', `/api/access/${id}/approve`))
    for (const platform of ['a', 'b']) {
      const path = `/api/access/${id}/provisioning/provisioning-succeeded`
      await expectOk(world.as('O', 'POST', path, { body: { platform } }))
    }
    await expectOk(world.as('O', 'POST', `/api/access/${id}/cancel`))
    await expectOk(world.as('O', 'DELETE', `/api/access/${id}`))
    const entries = await listEntries(world, 'access')
    assert.deepEqual(
      entries.map(({ action }) => action),
      [
        'created',
        'requested',
        'approved',
        'activated',
        'provisioned',
        'canceled',
        'deactivated',
        'deleted',
      ],
    )
    for (const { subject, name, team } of entries) {
      assert.deepEqual([subject, name, team], [id, 'orders / out', 'a'])
    }
    assert.equal(entries[0]?.requestId, requested.headers.get('x-request-id'))
    assert.doesNotMatch(JSON.stringify(entries[0]?.details), /"before"/)
    assert.partialDeepStrictEqual(entries[2]?.details, {
      state: 'active',
      consumerType: 'team',
      consumer: 'b',
      before: { state: 'requested', endOn: null },
      after: { state: 'active', endOn: null },
    })
  })
})
