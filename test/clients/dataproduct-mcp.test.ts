/**
 * The public MCP server `dataproduct-mcp`: a process that offers data products to language models as tools,
 * over its standard input and output.
 */

import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { dps, putOne, type World } from '../world.ts'
import { fillCatalog } from './cli/fill.ts'
import { onClient, spawnPeer } from './client.ts'

/** A process that answers JSON-RPC. */
interface ToolServer {
  /** Calls a tool; returns the texts of its answer, those in JSON parsed. */
  call(tool: string, args: object): Promise<unknown[]>
  request(method: string, params: object): Promise<unknown>
  close(): void
}

interface Reply {
  id?: number
  result?: unknown
  error?: { message: string }
}

onClient('dataproduct-mcp', (installation) => {
  let world: World
  let tools: ToolServer
  before(async () => {
    const { url, newOrganization } = installation()
    world = await newOrganization()
    await fillCatalog(world, url)
    tools = await startTools({
      DATAMESH_MANAGER_HOST: url,
      DATAMESH_MANAGER_API_KEY: world.keys.Ue ?? '',
    })
  })
  after(() => tools.close())

  test('the server offers four tools', async () => {
    const { tools: offered } = (await tools.request('tools/list', {})) as {
      tools: { name: string }[]
    }
    assert.deepEqual(
      offered.map(({ name }) => name),
      ['dataproduct_search', 'dataproduct_get', 'dataproduct_request_access', 'dataproduct_query'],
    )
  })

  test('dataproduct_search finds by a word and by a question', async () => {
    const byWord = await tools.call('dataproduct_search', { search_term: 'orders' })
    assert.partialDeepStrictEqual(byWord, [{ id: 'orders', source: 'simple_search' }])
    const byQuestion = await tools.call('dataproduct_search', {
      search_term: 'purchases of customers',
    })
    assert.partialDeepStrictEqual(byQuestion, [{ id: 'orders' }])
    assert.deepEqual(await tools.call('dataproduct_search', { search_term: 'locomotives' }), [])
    assert.equal((await tools.call('dataproduct_search', {})).length, 1)
  })

  test('dataproduct_get answers with the output ports and their data contracts', async () => {
    const [product] = await tools.call('dataproduct_get', { data_product_id: 'orders' })
    assert.partialDeepStrictEqual(product, { id: 'orders', name: 'Orders of all shops' })
    // The client follows the contracts of DPS, and asks for the access of ports with an id.
    const port = { id: 'v1', name: 'current', dataContractId: 'orders-contract' }
    await putOne(world, 'dataproducts', dps('purchases', { outputPorts: [port] }))
    const [older] = await tools.call('dataproduct_get', { data_product_id: 'purchases' })
    assert.partialDeepStrictEqual(older, {
      outputPorts: [{ dataContract: { id: 'orders-contract' }, accessStatus: null }],
    })
    const [missing] = await tools.call('dataproduct_get', { data_product_id: 'missing' })
    assert.deepEqual(Object.keys(Object(missing)), ['error'])
  })

  test('dataproduct_request_access and dataproduct_query need the API of access', async () => {
    const port = { data_product_id: 'orders', output_port_id: 'current' }
    const [requested] = await tools.call('dataproduct_request_access', { ...port, purpose: 'test' })
    assert.match(JSON.stringify(requested), /404/)
    const [answer] = await tools.call('dataproduct_query', { ...port, query: 'select 1' })
    assert.match(JSON.stringify(answer), /error/i)
  })
})

async function startTools(environment: Readonly<Record<string, string>>): Promise<ToolServer> {
  const child = spawnPeer('dataproduct-mcp', 'dataproduct_mcp', [], environment)
  // It logs every request.
  child.stderr.resume()
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let lastId = 0
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  const request = async (method: string, params: object): Promise<unknown> => {
    const id = ++lastId
    send({ id, method, params })
    for (;;) {
      const { done, value } = await lines.next()
      if (done === true) throw new Error(`the server ended before it answered ${method}`)
      const reply = JSON.parse(value) as Reply
      // Between the answers it notifies of its progress.
      if (reply.id !== id) continue
      if (reply.error !== undefined) throw new Error(reply.error.message)
      return reply.result
    }
  }
  await request('initialize', {
    protocolVersion: '2025-03-26',
    capabilities: {},
    clientInfo: { name: 'portbook', version: '1' },
  })
  send({ method: 'notifications/initialized' })
  return {
    request,
    async call(tool, args) {
      const result = await request('tools/call', { name: tool, arguments: args })
      const { content } = result as { content: { text: string }[] }
      return content.map(({ text }) => (/^[[{]/.test(text) ? JSON.parse(text) : text) as unknown)
    },
    close: () => child.stdin.end(),
  }
}
