import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'
import type { DefinitionUses } from './use.ts'

const ROUTE = 'GET /ui/definitions/uses'

const named = (id: string) => [
  { type: 'definition', url: `https://old.example/x/definitions/${id}` },
]

onStore((store) => {
  let world: World
  let otherWorld: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    otherWorld = await newWorld(product)
  })

  const putContract = async (id: string, definitionId: string, of = world): Promise<void> => {
    const properties = [
      { name: 'id', authoritativeDefinitions: named(definitionId) },
      {
        name: 'buyer',
        properties: [{ name: 'id', authoritativeDefinitions: named(definitionId) }],
      },
    ]
    const body = { ...odcs(id), schema: [{ name: 'orders', properties }] }
    await expectOk(of.as('O', 'PUT', `/api/datacontracts/${id}`, { body }))
  }

  const getUses = (id: string, after = ''): Promise<DefinitionUses> =>
    readJson<DefinitionUses>(
      world.asPerson(
        'Um',
        'GET',
        `/ui/definitions/uses?id=${encodeURIComponent(id)}&after=${after}`,
      ),
    )

  test(`${ROUTE} › lists contracts with every place, also of a definition that does not exist`, async () => {
    const name = uniqueId()
    await putContract(`${name}-a`, `${name}/id`)
    await putContract(`${name}-b`, `${name}/other`)
    await putContract(`${name}-c`, `${name}/id`, otherWorld)
    const { total, uses, next } = await getUses(`${name}/id`)
    assert.deepEqual([total, next], [1, null])
    assert.deepEqual(
      uses.map(({ contractId, places, placeCount }) => ({ contractId, places, placeCount })),
      [{ contractId: `${name}-a`, places: ['orders.id', 'orders.buyer.id'], placeCount: 2 }],
    )
    assert.deepEqual((await getUses(`${name}/id`, `${name}-a`)).uses, [])
  })

  test(`${ROUTE} › pages of 50 contracts`, async () => {
    const name = uniqueId()
    const ids = Array.from({ length: 51 }, (_, at) => `${name}-${String(at).padStart(2, '0')}`)
    await Promise.all(ids.map((id) => putContract(id, `${name}/id`)))
    const first = await getUses(`${name}/id`)
    assert.deepEqual([first.total, first.uses.length, first.next], [51, 50, ids[49]])
    const second = await getUses(`${name}/id`, first.next ?? '')
    assert.deepEqual(
      [...first.uses, ...second.uses].map(({ contractId }) => contractId),
      ids,
    )
    assert.equal(second.next, null)
  })

  test(`${ROUTE} › a change of the contract ends its use`, async () => {
    const name = uniqueId()
    await putContract(name, `${name}/one`)
    await putContract(name, `${name}/two`)
    assert.equal((await getUses(`${name}/one`)).total, 0)
    assert.equal((await getUses(`${name}/two`)).total, 1)
    await expectOk(world.as('O', 'DELETE', `/api/datacontracts/${name}`))
    assert.equal((await getUses(`${name}/two`)).total, 0)
  })
})
