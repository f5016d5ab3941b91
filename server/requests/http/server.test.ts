import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newHttpClient } from '../../../test/http-client.ts'
import { eventually } from '../../../test/eventually.ts'
import { listen } from './server.ts'

test('listen › answers requests that arrive before the product serves', async (t) => {
  const server = await listen('127.0.0.1', 0)
  t.after(async () => await server.close(0))
  const client = newHttpClient(server.url, undefined, { connectionsMax: 2 })
  t.after(() => client.close())
  const early = ['/healthz', '/readyz'].map((path) => client.send('GET', path))
  await eventually(20_000, async () => server.countConnections() === 2, 'both are connected')
  const paths: string[] = []
  server.serve((request) => {
    paths.push(new URL(request.url).pathname)
    return new Response('served')
  })
  const late = client.send('GET', '/late')
  for (const answer of await Promise.all([...early, late])) {
    assert.deepEqual([answer.status, answer.text], [200, 'served'])
  }
  assert.deepEqual(new Set(paths), new Set(['/healthz', '/readyz', '/late']))
})
