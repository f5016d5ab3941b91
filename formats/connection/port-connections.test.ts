import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createModel, createProperties } from '../../test/connections.ts'
import type { DataContract, Server } from '../data-contract/data-contract.ts'
import type { OutputPort } from '../data-product/data-product.ts'
import { describePort, SERVERS_MAX } from './port-connections.ts'
import { listSupport } from './support.ts'

const createServer = (name: string, environment?: string): Server => ({
  name,
  type: 'postgres',
  ...(environment === undefined ? {} : { environment }),
  properties: createProperties('postgres'),
  origin: '',
})

function createContract(servers: Server[]): DataContract {
  const models = [createModel('T_A', ['id']), { ...createModel('T_B', ['x']), name: 'b' }]
  const lists = { tags: [], serviceLevels: [], quality: [] }
  return { format: 'odcs', formatVersion: 'v3.1.0', id: 'c', name: 'C', servers, models, ...lists }
}

const createPort = (more: Partial<OutputPort>): OutputPort => ({
  key: 'out',
  id: 'out',
  name: 'out',
  tags: [],
  ...more,
})

describe('describePort', () => {
  test('lists production first, then the order of the document', () => {
    const servers = [
      createServer('a', 'test'),
      createServer('b', 'PROD'),
      createServer('c'),
      createServer('production'),
    ]
    const connections = describePort({ contract: createContract(servers), roles: [] })
    assert.deepEqual(
      connections?.servers.map(({ server }) => server),
      ['b', 'production', 'a', 'c'],
    )
  })

  test('describes the first model, or the named one; undefined for an unknown one', () => {
    const contract = createContract([createServer('a')])
    assert.equal(describePort({ contract, roles: [] })?.servers[0]?.model, 'orders')
    assert.equal(describePort({ contract, roles: [], modelName: 'b' })?.servers[0]?.model, 'b')
    assert.equal(describePort({ contract, roles: [], modelName: 'toString' }), undefined)
    assert.deepEqual(describePort({ contract, roles: [] })?.models, ['orders', 'b'])
  })

  test('limits the number of connections, and counts all servers', () => {
    const servers = Array.from({ length: 30 }, (_, at) => createServer(`s${at}`))
    const connections = describePort({ contract: createContract(servers), roles: [] })
    assert.equal(connections?.servers.length, SERVERS_MAX)
    assert.equal(connections.serverCount, 30)
  })

  for (const [more, platform] of [
    [{ type: 'SQL Server', server: { host: 'h' } }, 'sqlserver'],
    [{ type: 'tables', server: { project: 'p', dataset: 'd', table: 't' } }, 'bigquery'],
    [{ server: { account: 'a', database: 'd', schema: 's' } }, 'snowflake'],
    [{ server: { host: 'h:9092', topic: 't' } }, 'kafka'],
    [{ location: 's3://bucket/orders' }, 's3'],
    [{ type: 'mainframe', location: 'room 4' }, 'mainframe'],
  ] as const) {
    test(`a port without a contract has its own server of ${platform}`, () => {
      const connections = describePort({ port: createPort(more), roles: [] })
      assert.deepEqual(
        connections?.servers.map(({ server, platform: own }) => [server, own]),
        [['out', platform]],
      )
      const isShown = connections.servers[0]?.facts.length ?? 0
      assert.ok(isShown > 0)
    })
  }

  test('the table of a port without a contract is in its statement', () => {
    const server = { project: 'p', dataset: 'd', table: 't' }
    const [connection] = describePort({ port: createPort({ server }), roles: [] })?.servers ?? []
    assert.equal(connection?.statement, 'SELECT\n  *\nFROM `p`.`d`.`t`\nLIMIT 10;')
  })

  test('a port without any address has no connection', () => {
    assert.deepEqual(describePort({ port: createPort({}), roles: [] })?.servers, [])
  })
})

describe('listSupport', () => {
  test('lists the channels of the contract and the links of the team, each once', () => {
    const contract = {
      support: [
        { channel: '#orders', url: 'https://chat.example.com/orders', tool: 'slack' },
        { channel: 'Mail', url: 'mailto:orders@example.com', description: 'Two\nhours' },
        { channel: 'Desk 4' },
      ],
    }
    const team = {
      links: { chat: 'https://chat.example.com/orders', wiki: 'https://wiki.example.com' },
    }
    assert.deepEqual(listSupport({ contract, team }), [
      {
        channel: '#orders',
        source: 'contract',
        url: 'https://chat.example.com/orders',
        tool: 'slack',
      },
      {
        channel: 'Mail',
        source: 'contract',
        url: 'mailto:orders@example.com',
        description: 'Two hours',
      },
      { channel: 'Desk 4', source: 'contract' },
      { channel: 'wiki', source: 'team', url: 'https://wiki.example.com' },
    ])
  })

  test('lists the contact of DCS', () => {
    const contract = { info: { contact: { name: 'Ada', email: 'ada@example.com' } } }
    assert.deepEqual(listSupport({ contract }), [
      { channel: 'Ada', source: 'contract', url: 'mailto:ada@example.com' },
    ])
  })

  test('has links only of http, https and mailto, and shows hidden characters', () => {
    const urls = [
      'javascript:alert(1)',
      'slack://x',
      'data:text/html,x',
      'https://x\u202e.example',
      4,
    ]
    const contract = { support: urls.map((url, at) => ({ channel: `c\u202e${at}`, url })) }
    const team = { links: { x: 'javascript:alert(1)' } }
    assert.deepEqual(
      listSupport({ contract, team }).map(({ channel, url }) => [channel, url]),
      urls.map((_, at) => [`c\\u{202e}${at}`, undefined]),
    )
  })
})
