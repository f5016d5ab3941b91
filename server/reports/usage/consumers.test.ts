import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addProvider } from '../../../test/agreements.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin } from '../../../test/twin.ts'
import { addSpans, newSpan, readUsage, type QueryFacts } from '../../../test/usage.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'

onStore((store) => {
  let world: World
  let email: string
  before(async () => {
    world = await newWorld(newProduct(store()))
    const { rows } = await sql<{ email: string }>`
      select email_key as email from user_account where id = ${world.userIds.Um}::uuid
    `.execute(store().db)
    email = rows[0]?.email ?? ''
  })

  const readConsumer = async (product: string, facts: QueryFacts): Promise<unknown> => {
    await addSpans(world, product, [newSpan(facts)], { port: 'out' })
    const { consumers } = await readUsage(world, product)
    const found = consumers.find(
      ({ user, role, accessId }) =>
        (user ?? undefined) === facts.user &&
        (role ?? undefined) === facts.role &&
        (accessId ?? undefined) === facts.accessId,
    )
    return found?.consumer && [found.consumer.kind, found.consumer.id]
  }
  const grant = async (
    product: string,
    consumer: object,
    roles: string[] = [],
  ): Promise<string> => {
    const path = await addAgreement(world, { product, consumer, more: { roles }, isApproved: true })
    return path.split('/').at(-1) ?? ''
  }

  test('GET /api/dataproducts/{id}/usage › 200 with the consumer of the agreement that usage names', async () => {
    const [product, other] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
    const team = await grant(product, { teamId: 'b' })
    const read = await grant(product, { dataProductId: other })
    const person = await grant(product, { userId: world.userIds.Um })
    await addTwin(world)
    assert.deepEqual(await readConsumer(product, { user: 'svc', accessId: team }), ['team', 'b'])
    assert.deepEqual(await readConsumer(product, { accessId: read }), ['data-product', other])
    assert.deepEqual(await readConsumer(product, { accessId: person }), ['user', world.userIds.Um])
    // An agreement on another data product names no consumer here.
    const elsewhere = await grant(other, { teamId: 'a' })
    assert.equal(await readConsumer(product, { accessId: elsewhere }), null)
  })

  test('GET /api/dataproducts/{id}/usage › 200 with the member who has the e-mail address', async () => {
    const product = await addProvider(world, 'a')
    await grant(product, { teamId: 'b' }, ['analyst'])
    const facts = { user: email.toUpperCase(), role: 'analyst' }
    assert.deepEqual(await readConsumer(product, facts), ['user', world.userIds.Um])
  })

  test('GET /api/dataproducts/{id}/usage › 200 with the only consumer whose agreement grants the role', async () => {
    const [product, other] = [await addProvider(world, 'a'), await addProvider(world, 'a')]
    await grant(product, { teamId: 'b' }, ['analyst', 'shared'])
    await grant(other, { teamId: 'b' }, ['elsewhere'])
    await addTwin(world)
    assert.deepEqual(await readConsumer(product, { user: 'svc', role: 'analyst' }), ['team', 'b'])
    assert.equal(await readConsumer(product, { role: 'elsewhere' }), null)
    await grant(product, { userId: world.userIds.Um }, ['shared'])
    assert.equal(await readConsumer(product, { role: 'shared' }), null)
  })

  test('GET /api/dataproducts/{id}/usage › 200 without a name for a member of another organization', async () => {
    const other = await newWorld(world)
    const { rows } = await sql<{ email: string }>`
      select email_key as email from user_account where id = ${other.userIds.Um}::uuid
    `.execute(store().db)
    const product = await addProvider(world, 'a')
    assert.equal(await readConsumer(product, { user: rows[0]?.email ?? '' }), null)
    assert.equal(await readConsumer(product, {}), null)
  })
})
