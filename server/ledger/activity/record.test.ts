import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { describeEntry, listEntries } from '../../../test/activity.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, putOne } from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'

onStore((store) => {
  const fresh = (): Promise<World> => newWorld(newProduct(store()))

  test('every change of a document leaves one entry, with its actor, team, level and versions', async () => {
    const world = await fresh()
    const answer = await expectOk(
      world.as('Ue', 'PUT', '/api/dataproducts/orders', { body: odps('orders') }),
    )
    const ports = [{ name: 'port', version: '1' }]
    await putOne(world, 'dataproducts', odps('orders', { name: 'Orders', outputPorts: ports }))
    await putOne(world, 'dataproducts', odps('orders', { name: 'Orders' }))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/orders'))
    const entries = await listEntries(world, 'data-product')
    assert.deepEqual(entries.map(describeEntry), [
      'created data-product orders',
      'updated data-product orders (additive)',
      'updated data-product orders (breaking)',
      'deleted data-product orders (breaking)',
    ])
    assert.deepEqual(
      entries.map(({ name, team, versions }) => `${name} ${team} ${versions}`),
      ['Product orders a 1', 'Orders a 1-2', 'Orders a 2-3', 'Orders a 3'],
    )
    assert.match(entries[0]?.principal ?? '', /^api-key:/)
    assert.equal(entries[0]?.requestId, answer.headers.get('x-request-id'))
  })

  test('a change that is rejected or changes nothing leaves no entry', async () => {
    const world = await fresh()
    await putOne(world, 'dataproducts', odps('orders'))
    await putOne(world, 'dataproducts', odps('orders'))
    await world.as('O', 'PUT', '/api/dataproducts/orders', {
      body: odps('orders', { team: { name: 'none' } }),
    })
    await world.as('O', 'PUT', '/api/dataproducts/orders?dryRun=true', {
      body: odps('orders', { name: 'Other' }),
    })
    await world.as('Um', 'DELETE', '/api/dataproducts/orders')
    assert.equal((await listEntries(world, 'data-product')).length, 1)
  })

  test('teams and assets leave entries, and a tag that is assigned and removed', async () => {
    const world = await fresh()
    const asset = { id: 'table', info: { name: 'Orders', source: 'x', type: 'table', owner: 'a' } }
    await putOne(world, 'assets', asset)
    await putOne(world, 'tags', { id: 'pii', name: 'pii', owner: { team: 'a' } })
    const assigned = '/api/assets/table/assigned-tags/pii'
    await expectOk(world.as('O', 'PUT', assigned))
    await expectOk(world.as('O', 'PUT', assigned))
    await expectOk(world.as('O', 'DELETE', assigned))
    await expectOk(world.as('O', 'DELETE', assigned))
    await expectOk(world.as('O', 'DELETE', '/api/assets/table'))
    await putOne(world, 'teams', { id: 'c', name: 'Team C' })
    await expectOk(world.as('O', 'DELETE', '/api/teams/c'))
    const entries = await listEntries(world, 'asset', 'team')
    assert.deepEqual(entries.slice(2).map(describeEntry), [
      'created asset table',
      'tag-assigned asset table',
      'tag-removed asset table',
      'deleted asset table',
      'created team c',
      'deleted team c',
    ])
    assert.deepEqual(
      entries.map(({ team }) => team),
      ['a', 'b', 'a', 'a', 'a', 'a', 'c', 'c'],
    )
    assert.deepEqual(entries[3]?.details, { tag: 'pii' })
  })

  test('entries that are entered from the history are those that the changes have written', async () => {
    const world = await fresh()
    const ports = [{ name: 'port', version: '1' }]
    await putOne(world, 'dataproducts', odps('one', { outputPorts: ports }))
    await putOne(world, 'dataproducts', odps('one', { team: { name: 'b' } }))
    await expectOk(world.as('O', 'DELETE', '/api/dataproducts/one'))
    await putOne(world, 'dataproducts', odps('one'))
    await putOne(world, 'datacontracts', odcs('free', { team: undefined }))
    await putOne(world, 'teams', { id: 'c', name: 'Team C' })
    await putOne(world, 'teams', { id: 'c', name: 'Team D' })
    await putOne(world, 'tags', { id: 'pii', name: 'pii' })
    await sql`select enter_former_activity()`.execute(store().db)
    const select = (isFormer: boolean) => sql<object>`
      select kind, subject, name, action, level, team, version_before, version_after, principal
      from activity_entry
      where organization_id = ${world.organizationId}
        and kind in ('data-product', 'data-contract', 'team', 'tag')
        and (epoch = 0 and transaction_id = '0') = ${isFormer}
      order by position
    `
    const { rows: former } = await select(true).execute(store().db)
    const { rows: written } = await select(false).execute(store().db)
    assert.equal(former.length, 10)
    assert.deepEqual(former, written)
  })

  test('the entries of an organization can be neither changed nor deleted', async () => {
    const world = await fresh()
    for (const statement of [
      sql`update activity_entry set name = 'x' where organization_id = ${world.organizationId}`,
      sql`delete from activity_entry where organization_id = ${world.organizationId}`,
      sql`truncate activity_entry`,
    ]) {
      // One after the other, as an operator would try it.
      // oxlint-disable-next-line no-await-in-loop
      await assert.rejects(statement.execute(store().db), /only grows/)
    }
  })
})
