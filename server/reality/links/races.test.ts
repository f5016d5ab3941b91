import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { listLinks, settleAll } from '../../../test/link-world.ts'
import { newRandom } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'

const TABLES = ['a', 'b', 'c']

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const putContract = async (id: string, models: readonly string[]): Promise<void> => {
    const place = {
      type: 'postgres',
      host: 'db.example',
      port: 5432,
      database: 'db',
      schema: 'public',
    }
    const schema = models.map((name) => ({ name, logicalType: 'object', properties: [] }))
    const body = odcs(id, { servers: [{ server: 'production', ...place }], schema })
    await expectOk(world.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  }
  const putAsset = async (id: string, name: string): Promise<void> => {
    const info = {
      name,
      source: 'postgres',
      type: 'postgres_table',
      qualifiedName: `db.public.${name}`,
    }
    await expectOk(world.as('O', 'PUT', `/api/assets/${id}`, { body: { id, info, columns: [] } }))
  }
  const choose = async (contract: string, model: string, assetId: string | null): Promise<void> => {
    const path = `/api/datacontracts/${contract}/links/production/${model}`
    await world.as('O', 'PUT', path, { body: { assetId, reason: 'Race' } })
  }

  // What the rules decide about all promises at once is the oracle: nothing runs at the same time.
  async function expectSettled(): Promise<void> {
    const { db } = world.services
    const written = await listLinks(db, world.organizationId)
    await settleAll(db, world.organizationId)
    assert.deepEqual(written, await listLinks(db, world.organizationId))
  }

  test('200 simultaneous writes of a contract and its asset end with the link', async () => {
    const ids = Array.from({ length: 200 }, uniqueId)
    for (let at = 0; at < ids.length; at += 10) {
      const some = ids.slice(at, at + 10)
      await Promise.all(some.flatMap((id) => [putContract(id, [id]), putAsset(id, id)]))
    }
    const links = await listLinks(world.services.db, world.organizationId)
    const linked = links.filter(
      ({ contract, asset, state }) => state === 'linked' && asset === contract,
    )
    assert.equal(linked.length, ids.length)
    await expectSettled()
  })

  test('any order of simultaneous changes ends as one decision about everything', async () => {
    const random = newRandom(7)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const contracts = Array.from({ length: 4 }, uniqueId)
    const assets = Array.from({ length: 6 }, uniqueId)
    for (const id of contracts) await putContract(id, TABLES)
    const changes = (): Promise<unknown> => {
      const [contract, asset, table] = [pick(contracts), pick(assets), pick(TABLES)]
      const dice = random()
      if (dice < 0.3)
        return putContract(
          contract,
          TABLES.filter(() => random() < 0.7),
        )
      if (dice < 0.7) return putAsset(asset, random() < 0.5 ? table : table.toUpperCase())
      if (dice < 0.85) return world.as('O', 'DELETE', `/api/assets/${asset}`)
      return choose(contract, table, random() < 0.5 ? asset : null)
    }
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 8 }, changes))
      await expectSettled()
    }
  })

  test('of 10,000 candidates at one place ten are offered', async () => {
    const { db } = world.services
    const name = uniqueId()
    await sql`
      insert into asset (organization_id, external_id, document, media_type, version, digest, name, type, source,
        described_path, created_at, updated_at, updated_by)
      select ${world.organizationId}::uuid, ${name} || '-' || number, '{}', 'application/json', 1, '', ${name},
        'postgres_table', 'postgres', ${JSON.stringify(['db', 'public', name])}, now(), now(), 'system'
      from generate_series(10000, 19999) as number
    `.execute(db)
    await putContract(name, [name])
    const links = await listLinks(db, world.organizationId)
    const link = links.find(({ contract }) => contract === name)
    assert.deepEqual([link?.state, link?.candidates.length], ['ambiguous', 10])
    assert.equal(link?.candidates[0], `${name}-10000`)
  })
})
