import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { listLinks } from '../../../test/link-world.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  putOne,
  uniqueId,
  type World,
} from '../../../test/world.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { fillPromises } from './fill-service.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const verify = async (): Promise<string[]> =>
    (await verifyStore(world.services.db)).flatMap(({ findings }) => findings)

  const putLinked = async (id: string): Promise<void> => {
    const info = {
      name: id,
      source: 'postgres',
      type: 'postgres_table',
      qualifiedName: `db.public.${id}`,
    }
    await putOne(world, 'assets', { id, info, columns: [{ name: 'id', type: 'text' }] })
    const place = {
      type: 'postgres',
      host: 'db.example',
      port: 5432,
      database: 'db',
      schema: 'public',
    }
    const schema = [
      { name: id, logicalType: 'object', properties: [{ name: 'id', logicalType: 'string' }] },
    ]
    await putOne(
      world,
      'datacontracts',
      odcs(id, { servers: [{ server: 'production', ...place }], schema }),
    )
    const port = {
      name: 'port',
      version: '1',
      contractId: id,
      customProperties: [{ property: 'assets', value: [id] }],
    }
    const product = {
      apiVersion: 'v1.0.0',
      kind: 'DataProduct',
      id,
      name: id,
      status: 'active',
      team: { name: 'a' },
    }
    await putOne(world, 'dataproducts', { ...product, outputPorts: [port] })
  }

  test('fills after an upgrade what writes store since, and verify agrees before and after it', async () => {
    const { db } = world.services
    await putLinked(uniqueId())
    const written = await listLinks(db, world.organizationId)
    assert.deepEqual(
      written.map(({ state, origin }) => [state, origin]),
      [['linked', 'port']],
    )
    assert.deepEqual(await verify(), [])
    await sql`delete from contract_promise`.execute(db)
    await sql`delete from trust_state`.execute(db)
    await sql`update data_contract set reality_version = null`.execute(db)
    await sql`update data_product set reality_version = null, output_assets = '{}'`.execute(db)
    await sql`update asset set reality_version = null, described_path = null`.execute(db)
    assert.deepEqual(await verify(), [])
    await fillPromises(world.services)
    assert.deepEqual(await listLinks(db, world.organizationId), written)
    assert.deepEqual(await verify(), [])
    assert.equal(await fillPromises(world.services), 0)
  })

  test('fills a contract that a process of an older version wrote', async () => {
    const { db, organizationId } = { ...world.services, ...world }
    const id = uniqueId()
    await putLinked(id)
    await sql`
      update data_contract
      set version = version + 1, document = replace(document, '"production"', '"live"')
      where organization_id = ${organizationId}
        and external_id = ${id}
    `.execute(db)
    await fillPromises(world.services)
    const servers = (await listLinks(db, organizationId)).filter(({ contract }) => contract === id)
    assert.deepEqual(
      servers.map(({ server }) => server),
      ['live'],
    )
    await expectOk(world.as('O', 'GET', `/api/datacontracts/${id}/drift`))
  })

  test('verify names promises, paths and links that are not those of the documents', async () => {
    const { db } = world.services
    const id = uniqueId()
    await putLinked(id)
    const changes = [
      sql`update contract_promise set digest = 'other' where contract_id = ${id}`,
      sql`update asset set described_path = '["elsewhere"]' where external_id = ${id}`,
      sql`update asset_link set state = 'excluded', asset_id = null where contract_id = ${id}`,
    ]
    for (const change of changes) await change.execute(db)
    const findings = (await verify()).filter((text) => text.includes(id))
    assert.equal(findings.filter((text) => text.includes('links depend on other values')).length, 2)
    assert.equal(findings.filter((text) => text.includes('the rules decide no_source')).length, 1)
  })
})
