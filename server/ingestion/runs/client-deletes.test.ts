import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct } from '../../../test/world.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { ASSETS } from '../../catalog/assets/service.ts'
import { deleteDocument } from '../../documents/deletion-service.ts'
import { verifyStore } from '../../transfer/verify.ts'

onStore((store) => {
  test('DELETE /api/assets/{id} › the next run brings a deleted asset back that its source still has, and the store stays consistent', async () => {
    const world = await newIngestionWorld(store())
    world.source.put(['shop', 'sales', 'orders'])
    world.source.put(['shop', 'sales', 'stays'])
    await world.run()
    const before = await world.assets()
    const id = before.get('shop.sales.orders')?.id ?? ''
    const caller: Caller = {
      organizationId: world.organizationId,
      organizationName: 'O',
      vanityUrl: 'o',
      principal: 'user:1',
      keyId: undefined,
      userId: undefined,
      responsibleId: undefined,
      keyName: 'session',
      scope: 'user',
      team: undefined,
      readOnly: false,
      allowed: undefined,
      organizationOwner: true,
      roles: new Map(),
      customRoles: undefined,
      hasOnlyManagedTags: false,
    }
    const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
    const removal = { id, conditions, requestId: randomUUID() }
    await deleteDocument(newProduct(store()).services, caller, ASSETS, removal)
    assert.deepEqual([...(await world.assets()).keys()].includes('shop.sales.orders'), false)

    const damaged = (await verifyStore(store().db)).filter(({ count }) => count > 0)
    assert.deepEqual(damaged, [])

    const run = await world.run()
    assert.deepEqual(
      [run.status, run.assets_created, run.assets_updated, run.assets_deleted],
      ['SUCCESS', 1, 0, 0],
    )
    const after = await world.assets()
    assert.deepEqual([...after.keys()].toSorted(), [...before.keys()].toSorted())
    assert.equal(after.get('shop.sales.orders')?.id, id)
    assert.equal((await world.run()).assets_created, 0)
  })
})
