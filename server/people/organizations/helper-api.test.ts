import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson } from '../../../test/answers.ts'
import { newMember } from '../../../test/people.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, type Product, type World } from '../../../test/world.ts'
import type { Browser } from '../../../test/people.ts'

const ROUTE = 'GET /ui/helpers'

async function list(browser: Browser, query: string): Promise<string[]> {
  const { people } = await readJson<{ people: { name: string }[] }>(
    browser.ask('GET', `/ui/helpers?${query}`),
  )
  return people.map(({ name }) => name)
}

onStore((store) => {
  let product: Product
  let world: World
  let lone: Browser
  let member: Browser
  before(async () => {
    product = newProduct(store())
    world = await newWorld(product)
    // An organization with a team of the same id, whose people must not appear.
    await newWorld(product)
    const { organizationId } = world
    const add = async (name: string, role: 'Owner' | 'Member' = 'Member') =>
      await newMember(product, organizationId, role, name)
    await add('Olga Owner', 'Owner')
    const lead = await add('Lea Lead')
    const editor = await add('Edda Editor')
    const found = await add('Mia Member')
    ;({ browser: lone } = await add('Lone Walker'))
    member = found.browser
    const members = [
      { emailAddress: lead.session.user.email, role: 'Owner' },
      { emailAddress: editor.session.user.email, role: 'Editor' },
      { emailAddress: found.session.user.email, role: 'Member' },
    ]
    const body = { id: 'yard', name: 'Yard', members }
    await expectOk(world.as('O', 'PUT', '/api/teams/yard', { body }))
  })

  test(`${ROUTE} › lists those who have the permission on the team`, async () => {
    const names = await list(lone, 'permission=DATAPRODUCT_EDIT&team=yard')
    assert.deepEqual(names, ['Edda Editor', 'Lea Lead'])
  })

  test(`${ROUTE} › without a team, lists owners of a team of the person`, async () => {
    assert.deepEqual(await list(member, 'permission=DATAPRODUCT_ADD'), ['Lea Lead'])
  })

  test(`${ROUTE} › without a team of the person, lists owners of the organization`, async () => {
    const names = await list(lone, 'permission=DATAPRODUCT_ADD')
    assert.ok(names.includes('Olga Owner'), names.join())
    assert.ok(!names.includes('Lea Lead'), names.join())
  })

  test(`${ROUTE} › without a permission, lists owners of the organization`, async () => {
    for (const query of ['', 'permission=DATAPRODUCT_EDIT&team=unknown']) {
      const names = await list(member, query)
      assert.ok(names.includes('Olga Owner'), names.join())
      assert.ok(!names.includes('Lea Lead'), names.join())
    }
  })

  test(`${ROUTE} › names no person of another organization`, async () => {
    const names = await list(lone, 'permission=DATAPRODUCT_EDIT&team=a')
    const members = await readJson<{ name: string }[]>(lone.ask('GET', '/ui/members'))
    for (const name of names)
      assert.ok(
        members.some((one) => one.name === name),
        name,
      )
  })

  test(`${ROUTE} › 400 for an unknown permission`, async () => {
    await expectProblem(lone.ask('GET', '/ui/helpers?permission=EVERYTHING'), 400)
  })
})
