/** The people who decide on a request, as the server accepts their approval. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addAgreement, addProvider } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { newMember } from '../../test/people.ts'
import { onStore } from '../../test/stores.ts'
import { addTwin } from '../../test/twin.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../test/world.ts'
import type { AgreementDetails, RequestablePort } from './ui-schema.ts'

type Person = Awaited<ReturnType<typeof newMember>>

const APPROVING = {
  outputPorts: [
    {
      name: 'out',
      version: '1',
      customProperties: [{ property: 'autoApprove', value: true }],
    },
  ],
}

onStore((store) => {
  let world: World
  let owner: Person
  let ada: Person
  let ben: Person

  const join = (name: string, role: 'Owner' | 'Member' = 'Member'): Promise<Person> =>
    newMember(world, world.organizationId, role, name)
  const putTeam = async (id: string, ...members: (readonly [Person, string])[]): Promise<void> => {
    const list = members.map(([{ email: emailAddress }, role]) => ({ emailAddress, role }))
    await expectOk(
      world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id, members: list } }),
    )
  }
  const ask = <Answer>(person: Person, path: string): Promise<Answer> =>
    readJson<Answer>(person.browser.ask('GET', path))
  const getPort = async (person: Person, product: string, consumer = '') => {
    const path = `/ui/access/port?productId=${product}&port=out${consumer}`
    const { isDecider, deciders, port } = await ask<RequestablePort>(person, path)
    return { isDecider, deciders, isAtOnce: port.isAutoApproved }
  }
  const getDecision = async (person: Person, agreement: string) => {
    const path = agreement.replace('/api/', '/ui/')
    const { isDecider, deciders } = await ask<AgreementDetails>(person, path)
    return { isDecider, deciders }
  }
  const requestAs = async (
    person: Person,
    productId: string,
    consumer: object,
  ): Promise<string> => {
    const ports = [{ productId, port: 'out' }]
    const body = { ports, consumer, purpose: 'Reports' }
    const answer = person.browser.ask('POST', '/ui/access-requests', body)
    const [outcome] = await readJson<{ id: string }[]>(answer)
    return `/api/access/${outcome?.id}`
  }
  const count = async (person: Person): Promise<number> =>
    (await ask<{ count: number }>(person, '/ui/access/open-requests')).count
  const toUser = ({ session }: Person) => ({ userId: session.user.id })

  before(async () => {
    world = await newWorld(newProduct(store()))
    ;[owner, ada, ben] = [await join('Olga', 'Owner'), await join('Ada'), await join('Ben')]
    await putTeam('fleet', [ada, 'Approver'], [ben, 'Approver'])
    await putTeam('alone', [ada, 'Approver'])
    await putTeam('reports', [ada, 'Member'])
  })

  describe('GET /ui/access/port', () => {
    test('200: an approver who would request is not the one who decides', async () => {
      const product = await addProvider(world, 'fleet')
      const expected = { isDecider: false, deciders: ['Ben'], isAtOnce: false }
      assert.deepEqual(await getPort(ada, product), expected)
      assert.deepEqual(await getPort(ada, product, '&consumerTeam=reports'), expected)
      const consumer = await addProvider(world, 'reports')
      assert.deepEqual(await getPort(ada, product, `&consumerProduct=${consumer}`), expected)
      assert.deepEqual((await getPort(owner, product)).deciders, ['Ada', 'Ben'])
    })

    test('200: one who decides for the consumer, too, decides on the own request', async () => {
      const product = await addProvider(world, 'fleet')
      const expected = { isDecider: true, deciders: ['Ben'], isAtOnce: false }
      assert.deepEqual(await getPort(ada, product, '&consumerTeam=alone'), expected)
      const consumer = await addProvider(world, 'alone')
      assert.deepEqual(await getPort(ada, product, `&consumerProduct=${consumer}`), expected)
      assert.equal((await getPort(owner, product)).isDecider, true)
    })

    test('200: the owners of the organization decide if the only approver asks', async () => {
      const product = await addProvider(world, 'alone')
      const { isDecider, deciders } = await getPort(ada, product)
      assert.equal(isDecider, false)
      assert.ok(deciders.includes('Olga'))
      assert.deepEqual(await getPort(ben, product), {
        isDecider: false,
        deciders: ['Ada'],
        isAtOnce: false,
      })
    })

    test('200: nothing is granted at once to the person who made the port do so', async () => {
      const id = uniqueId()
      const body = odps(id, { team: { name: 'alone' }, ...APPROVING })
      const headers = { 'content-type': 'application/json' }
      await readJson(ada.browser.ask('PUT', `/api/dataproducts/${id}`, body, headers))
      assert.equal((await getPort(ada, id)).isAtOnce, false)
      assert.equal((await getPort(ben, id)).isAtOnce, true)
      const path = `/api/dataproducts/${id}/outputports/out/access-status`
      const status = await ask<{ canGetInstantAccess: boolean }>(ada, path)
      assert.equal(status.canGetInstantAccess, false)
    })
  })

  describe('GET /ui/access/{id}', () => {
    test('200: those who decide on a request are those whose approval is accepted', async () => {
      const product = await addProvider(world, 'fleet')
      const path = await requestAs(ada, product, toUser(ada))
      assert.deepEqual(await getDecision(ada, path), { isDecider: false, deciders: ['Ben'] })
      assert.deepEqual(await getDecision(ben, path), { isDecider: true, deciders: [] })
      await expectProblem(ada.browser.ask('POST', `${path}/approve`), 403, /own request/)
      await expectOk(ben.browser.ask('POST', `${path}/approve`))
      // Nothing is left to decide.
      assert.deepEqual(await getDecision(ben, path), { isDecider: false, deciders: [] })
    })

    test('200: an approver of both sides decides, and others see that', async () => {
      const product = await addProvider(world, 'fleet')
      const path = await requestAs(ada, product, { teamId: 'alone' })
      assert.deepEqual(await getDecision(ada, path), { isDecider: true, deciders: ['Ben'] })
      assert.deepEqual(await getDecision(ben, path), { isDecider: true, deciders: ['Ada'] })
      await expectOk(ada.browser.ask('POST', `${path}/approve`))
    })
  })

  test('GET /ui/access/port › 200: the approvers of a twin organization do not count', async () => {
    const product = await addProvider(world, 'fleet')
    await putTeam('twins', [ada, 'Approver'])
    const consumer = '&consumerTeam=twins'
    assert.equal((await getPort(ben, product, consumer)).isDecider, false)
    assert.equal((await getPort(ada, product, consumer)).isDecider, true)
    await addTwin(world)
    await putTeam('twins')
    await putTeam('fleet', [ben, 'Approver'])
    const path = await requestAs(ben, product, { teamId: 'fleet' })
    assert.deepEqual((await getDecision(owner, path)).deciders, ['Ben'])
    await putTeam('fleet')
    const { deciders } = await getDecision(ben, path)
    assert.ok(!deciders.includes('Ada') && deciders.includes('Olga'))
    await putTeam('fleet', [ada, 'Approver'], [ben, 'Approver'])
  })

  test('GET /ui/access/open-requests › 200: leaves out own requests that only others decide on', async () => {
    const before = { ada: await count(ada), ben: await count(ben), owner: await count(owner) }
    const product = await addProvider(world, 'fleet')
    await requestAs(ada, product, toUser(ada))
    assert.deepEqual([await count(ada), await count(ben)], [before.ada, before.ben + 1])
    // A key requests it for the person.
    const other = await addProvider(world, 'fleet')
    await addAgreement(world, { product: other, consumer: toUser(ada) })
    assert.deepEqual([await count(ada), await count(ben)], [before.ada, before.ben + 2])
    await requestAs(ada, product, { teamId: 'alone' })
    assert.equal(await count(ada), before.ada + 1)
    await requestAs(owner, product, toUser(owner))
    assert.deepEqual([await count(ada), await count(owner)], [before.ada + 2, before.owner + 4])
  })
})
