import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const property = (value: unknown): object => ({ customProperties: [{ property: 'assets', value }] })

// Documents of products and the assets that they name.
const DOCUMENTS: Record<string, { body?: string | object; yaml?: string; assets: string[] }> = {
  'of a DPS product and its ports': {
    body: {
      info: { title: 'P', owner: 'a' },
      assets: ['x', 'é'],
      outputPorts: [{ id: 'o', name: 'o', assets: ['y', 'x', 1, null] }],
    },
    assets: ['x', 'y', 'é'],
  },
  'of an ODPS product and its ports': {
    body: odps('ID', {
      id: undefined,
      ...property(['x']),
      outputPorts: [{ name: 'o', version: '1', ...property('z') }],
      inputPorts: [{ name: 'i', version: '1', contractId: 'c', ...property([]) }],
    }),
    assets: ['x', 'z'],
  },
  'of a product in YAML': {
    yaml: 'kind: DataProduct\nname: X\nteam: {name: a}\ncustomProperties: [{property: assets, value: [y]}]\n',
    assets: ['y'],
  },
  'of a product with numbers in unusual spellings': {
    body: '{"kind":"DataProduct","name":"X","team":{"name":"a"},"assets":["x"],"n":1e-99999999999}',
    assets: ['x'],
  },
  'of a product without assets': { body: odps('ID', { id: undefined }), assets: [] },
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const listAssets = async (id: string): Promise<string[]> => {
    const { assets } = await world.services.db
      .selectFrom('data_product')
      .select('assets')
      .where('organization_id', '=', world.organizationId)
      .where('external_id', '=', id)
      .executeTakeFirstOrThrow()
    return assets.toSorted()
  }

  for (const [what, { assets, ...options }] of Object.entries(DOCUMENTS)) {
    test(`PUT /api/dataproducts/{id} › stores the named assets: ${what}`, async () => {
      const id = uniqueId()
      await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, options))
      assert.deepEqual(await listAssets(id), assets)
    })
  }

  test('0004_asset_use.sql › finds the assets of stored products, and skips unreadable documents', async () => {
    const ids: [string, string[]][] = []
    for (const [what, { assets, ...options }] of Object.entries(DOCUMENTS)) {
      const id = uniqueId()
      await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, options))
      ids.push([id, what.includes('unusual spellings') ? [] : assets])
    }
    const { db } = world.services
    await sql`update data_product set assets = '{}'`.execute(db)
    const text = readFileSync(
      new URL('../../migrations/0004_asset_use.sql', import.meta.url),
      'utf8',
    )
    const block = /^do \$\$[\s\S]*?^\$\$;/m.exec(text)?.[0] ?? ''
    assert.notEqual(block, '')
    await sql.raw(block).execute(db)
    for (const [id, assets] of ids) assert.deepEqual(await listAssets(id), assets)
  })
})
