import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addAgreement, addContract, addProvider } from '../../test/agreements.ts'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { addTwin } from '../../test/twin.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  uniqueId,
  type World,
} from '../../test/world.ts'
import type { PortConnection } from './connection.ts'

const createServer = (server: string, environment: string, more: object = {}) => ({
  server,
  environment,
  type: 'postgresql',
  host: `${server}.example.com`,
  port: 5432,
  database: 'shop',
  schema: 'sales',
  ...more,
})

const SCHEMA = [
  { name: 'orders', properties: [{ name: 'id', logicalType: 'integer' }] },
  { name: 'customers', properties: [{ name: 'email', logicalType: 'string' }] },
]

const SERVERS = [createServer('test', 'test'), createServer('main', 'production')]

function toPort(version: string, table: string): object {
  const value = { project: 'acme', dataset: 'sales', table }
  return { name: 'out', version, customProperties: [{ property: 'server', value }] }
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
    const links = { chat: 'https://chat.example.com/a', files: 'javascript:alert(1)' }
    const team = await readJson<object>(world.as('O', 'GET', '/api/teams/a'))
    await expectOk(world.as('O', 'PUT', '/api/teams/a', { body: { ...team, links } }))
  })

  const get = (path: string): Promise<PortConnection> => readJson(world.as('Um', 'GET', path))
  const report = (path: string, name: string, body: object) =>
    expectOk(world.as('T', 'POST', `${path}/provisioning/${name}`, { body }))

  async function addAccess(more: { isApproved?: boolean; contract?: object; port?: object } = {}) {
    const { isApproved = true, contract = {}, port = {} } = more
    const contractId = await addContract(world, 'a', {
      servers: SERVERS,
      schema: SCHEMA,
      ...contract,
    })
    const product = await addProvider(world, 'a', { contractId, ...port })
    const info = { roles: ['READER'] }
    const consumer = { userId: world.userIds.Um }
    const path = await addAgreement(world, { product, consumer, isApproved, more: info })
    return { contractId, product, path, port: `/api/dataproducts/${product}/outputports/out` }
  }

  describe('GET /api/access/{id}/connection', () => {
    test('200 with the servers of the contract, production first, and the channels of the team', async () => {
      const { path, contractId } = await addAccess({
        contract: { support: [{ channel: '#orders', url: 'https://chat.example.com/orders' }] },
      })
      const connection = await get(`${path}/connection`)
      const [first, second] = connection.servers
      assert.deepEqual([first?.server, second?.server], ['main', 'test'])
      assert.equal(first?.statement, 'SELECT\n  "id"\nFROM "sales"."orders"\nLIMIT 10;')
      assert.ok(first.facts.some(({ value }) => value === 'main.example.com'))
      assert.ok(first.facts.some(({ label, value }) => label === 'Role' && value === 'READER'))
      assert.deepEqual(connection.models, ['orders', 'customers'])
      assert.deepEqual(connection.support, [
        { channel: '#orders', url: 'https://chat.example.com/orders', source: 'contract' },
        { channel: 'chat', url: 'https://chat.example.com/a', source: 'team' },
      ])
      assert.equal(connection.team?.id, 'a')
      assert.equal(connection.contract?.id, contractId)
      assert.equal(connection.contract.isCurrent, true)
    })

    test('200 with the model that `model` names; 400 for an unknown one', async () => {
      const { path } = await addAccess()
      const { servers } = await get(`${path}/connection?model=customers`)
      assert.match(servers[0]?.statement ?? '', /"email"\nFROM "sales"\."customers"/)
      const answer = await expectProblem(world.as('Um', 'GET', `${path}/connection?model=x`), 400)
      assert.equal(answer.code, 'query_invalid')
    })

    test('200 with the state, and with provisioning in words', async () => {
      const { path } = await addAccess({ isApproved: false })
      const name = (await get(`${path}/connection`)).team?.name ?? ''
      const sentences: string[] = []
      const see = async () => {
        const { access } = await get(`${path}/connection`)
        sentences.push(`${access.state}: ${access.provisioning}`)
      }
      await see()
      await expectOk(world.as('O', 'POST', `${path}/approve`))
      await see()
      await report(path, 'provisioning-started', { platform: 'snowflake' })
      await see()
      await report(path, 'provisioning-failed', { diagnostics: 'No such role' })
      await see()
      await report(path, 'provisioning-succeeded', { reference: 'role READER' })
      await see()
      await expectOk(world.as('O', 'POST', `${path}/cancel`))
      await see()
      assert.deepEqual(sentences, [
        `requested: ${name} has not decided on the request yet. Wait for the decision.`,
        `active: No connector has reported. Ask ${name} whether access was granted.`,
        'active: Access is being granted on snowflake. Try again in a few minutes.',
        `active: Access could not be granted on snowflake. Ask ${name} to grant it. The connector reported: No such role`,
        'active: Access was granted on snowflake. Connect with the address below. Granted: role READER',
        'canceled: Access has ended. Request access again to read the data.',
      ])
    })

    test('200 with the version of the contract that was agreed on, and whether it still is current', async () => {
      const { path, contractId } = await addAccess({ contract: { version: '1.0.0' } })
      const put = async (version: string, server: object) => {
        const servers = [createServer('main', 'production', server)]
        const body = odcs(contractId, { team: { name: 'a' }, version, servers, schema: SCHEMA })
        await expectOk(world.as('O', 'PUT', `/api/datacontracts/${contractId}`, { body }))
      }
      const see = async () => {
        const { servers, contract } = await get(`${path}/connection`)
        const host = servers[0]?.facts.find(({ name }) => name === 'host')?.value
        return [host, contract?.version, contract?.currentVersion, contract?.isCurrent]
      }
      await put('1.0.0', { host: 'moved.example.com' })
      assert.deepEqual(await see(), ['moved.example.com', '1.0.0', '1.0.0', true])
      await put('2.0.0', { host: 'new.example.com' })
      assert.deepEqual(await see(), ['main.example.com', '1.0.0', '2.0.0', false])
    })

    test('404 for an unknown agreement', async () => {
      await expectProblem(world.as('Um', 'GET', '/api/access/none/connection'), 404)
    })
  })

  describe('GET /api/dataproducts/{id}/outputports/{portId}/connection', () => {
    test('200 with the access of the caller, by the id or the name of the port', async () => {
      const { path, port } = await addAccess()
      const { access, servers } = await get(`${port}/connection`)
      assert.equal(access.state, 'active')
      assert.equal(access.agreementId, path.split('/').at(-1))
      assert.equal(servers.length, 2)
    })

    test('200 for a caller without an agreement: the state is none, and nothing is granted', async () => {
      const contractId = await addContract(world, 'a', { servers: SERVERS, schema: SCHEMA })
      const product = await addProvider(world, 'a', { contractId })
      const { access, servers } = await get(
        `/api/dataproducts/${product}/outputports/out/connection`,
      )
      assert.deepEqual(access, {
        state: 'none',
        agreementId: null,
        roles: [],
        provisioning: 'You have no access. Request access to read the data.',
        provisioningStatus: null,
      })
      assert.equal(servers.length, 2)
    })

    test('200 with the server of the port if it has no contract, or one that does not exist yet', async () => {
      const server = { project: 'acme', dataset: 'sales', table: 'orders' }
      for (const contractId of [undefined, uniqueId()]) {
        const customProperties = [{ property: 'server', value: server }]
        const product = await addProvider(world, 'a', { customProperties, contractId })
        const connection = await get(`/api/dataproducts/${product}/outputports/out/connection`)
        assert.equal(connection.contract, null)
        assert.match(connection.servers[0]?.statement ?? '', /FROM `acme`\.`sales`\.`orders`/)
      }
    })

    test('200 for each version of a port, by its name and version', async () => {
      const id = uniqueId()
      const outputPorts = [toPort('2', 'new'), toPort('1', 'old')]
      const body = odps(id, { team: { name: 'a' }, outputPorts })
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
      for (const [port, table] of [
        ['out', 'new'],
        ['out@2', 'new'],
        ['out@1', 'old'],
      ] as const) {
        const path = `/api/dataproducts/${id}/outputports/${encodeURIComponent(port)}/connection`
        assert.match((await get(path)).servers[0]?.statement ?? '', new RegExp(`\`${table}\``))
      }
    })

    test('404 for an unknown data product or port', async () => {
      const { product } = await addAccess()
      for (const part of [`${product}/outputports/none`, 'none/outputports/out']) {
        await expectProblem(world.as('Um', 'GET', `/api/dataproducts/${part}/connection`), 404)
      }
    })
  })

  test('a twin with equal ids in another organization changes nothing', async () => {
    const { path, port } = await addAccess()
    const before = [await get(`${path}/connection`), await get(`${port}/connection`)]
    await addTwin(world)
    assert.deepEqual([await get(`${path}/connection`), await get(`${port}/connection`)], before)
    assert.equal(before[0]?.servers.length, 2)
  })
})
