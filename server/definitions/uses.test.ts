import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../test/world.ts'
import type { DefinitionUses } from './use.ts'

const ROUTE = 'GET /ui/definitions/uses'

onStore((store) => {
  let world: World
  let otherWorld: World
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    otherWorld = await newWorld(product)
  })

  const named = (id: string) => [
    { type: 'definition', url: `https://old.example/x/definitions/${id}` },
  ]

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
    const { total, uses, lastId } = await getUses(`${name}/id`)
    assert.deepEqual([total, lastId], [1, `${name}-a`])
    assert.deepEqual(
      uses.map(({ contractId, places, placeCount }) => ({ contractId, places, placeCount })),
      [{ contractId: `${name}-a`, places: ['orders.id', 'orders.buyer.id'], placeCount: 2 }],
    )
    assert.deepEqual((await getUses(`${name}/id`, `${name}-a`)).uses, [])
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
