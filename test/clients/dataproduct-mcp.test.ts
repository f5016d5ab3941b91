/**
 * The public MCP server `dataproduct-mcp`: a process that offers data products to language models as tools,
 * over its standard input and output.
 */

import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { dps, expectOk, putOne, type World } from '../world.ts'
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
      outputPorts: [{ dataContract: { id: 'orders-contract' } }],
    })
    assert.match(JSON.stringify(older), /you can request access/)
    const [missing] = await tools.call('dataproduct_get', { data_product_id: 'missing' })
    assert.deepEqual(Object.keys(Object(missing)), ['error'])
  })

  test('dataproduct_request_access requests access, and dataproduct_query needs it', async () => {
    await putOne(world, 'dataproducts', dps('salaries', { info: SALARIES, outputPorts: [PORT] }))
    const port = { data_product_id: 'salaries', output_port_id: 'v1' }
    const query = { ...port, query: 'select 1', purpose: 'Monthly report' }
    const [refused] = await tools.call('dataproduct_query', query)
    assert.match(JSON.stringify(refused), /do not have active access/)
    const request = { ...port, purpose: 'Monthly report' }
    const [requested] = await tools.call('dataproduct_request_access', request)
    const { access_id: id } = requested as { access_id: string }
    assert.partialDeepStrictEqual(requested, { status: 'requested' })
    const [pending] = await tools.call('dataproduct_get', { data_product_id: 'salaries' })
    assert.match(JSON.stringify(pending), /pending approval/)
    const [again] = await tools.call('dataproduct_request_access', request)
    assert.match(JSON.stringify(again), /error/i)
    await expectOk(world.as('O', 'POST', `/api/access/${id}/approve`))
    const [granted] = await tools.call('dataproduct_get', { data_product_id: 'salaries' })
    assert.match(JSON.stringify(granted), /already have access/)
    // The evaluation permits the query; this server type has no data here.
    const [answer] = await tools.call('dataproduct_query', query)
    assert.ok(!/active access|denied/i.test(JSON.stringify(answer)), JSON.stringify(answer))
  })

  test('dataproduct_request_access is granted at once by autoApprove', async () => {
    const outputPorts = [{ ...PORT, autoApprove: true }]
    await putOne(world, 'dataproducts', dps('weather', { info: SALARIES, outputPorts }))
    const request = { data_product_id: 'weather', output_port_id: 'v1', purpose: 'Forecast' }
    const [granted] = await tools.call('dataproduct_request_access', request)
    assert.partialDeepStrictEqual(granted, { status: 'active' })
    assert.match(JSON.stringify(granted), /granted automatically/)
  })
})

const SALARIES = { title: 'Salaries', owner: 'b' }

const PORT = { id: 'v1', name: 'current', dataContractId: 'orders-contract' }

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
