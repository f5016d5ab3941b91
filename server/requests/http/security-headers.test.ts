import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveRaw, type RawServer } from '../../../test/raw-http.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld } from '../../../test/world.ts'

// Each is answered by another part of the server: an endpoint, its error, a page, the framing, the
// parser of HTTP.
const REQUESTS: Record<string, readonly [status: number, request: string]> = {
  '/healthz': [200, 'GET /healthz HTTP/1.1\r\nHost: x\r\n'],
  '/readyz': [200, 'GET /readyz HTTP/1.1\r\nHost: x\r\n'],
  '/openapi.json': [200, 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n'],
  '/guides/ci': [200, 'GET /guides/ci HTTP/1.1\r\nHost: x\r\n'],
  'a page': [200, 'GET /sign-in HTTP/1.1\r\nHost: x\r\n'],
  '/api with a key': [200, 'GET /api/teams HTTP/1.1\r\nHost: x\r\nx-api-key: KEY\r\n'],
  '/api without a key': [401, 'GET /api/teams HTTP/1.1\r\nHost: x\r\n'],
  '/metrics without a token': [401, 'GET /metrics HTTP/1.1\r\nHost: x\r\n'],
  'an unknown address': [404, 'GET /unknown HTTP/1.1\r\nHost: x\r\n'],
  'a missing Host': [400, 'GET /healthz HTTP/1.1\r\n'],
  'a malformed Host': [400, 'GET /healthz HTTP/1.1\r\nHost: a b\r\n'],
  'text that is not HTTP': [400, 'hello\r\n'],
  'large headers': [431, `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n`],
}

onStore((store) => {
  const servers = new Map<string, RawServer>()
  const keys = new Map<string, string>()
  before(async () => {
    for (const scheme of ['http', 'https']) {
      const world = await newWorld(newProduct(store(), { baseUrl: `${scheme}://portbook.test` }))
      servers.set(scheme, await serveRaw(world))
      keys.set(scheme, world.keys.O ?? '')
    }
  })
  after(async () => {
    for (const server of servers.values()) await server.close()
  })

  for (const [what, [status, request]] of Object.entries(REQUESTS)) {
    test(`security headers › ${what}: nosniff, and HSTS if the base URL is https`, async () => {
      for (const [scheme, server] of servers) {
        const sent = `${request.replace('KEY', keys.get(scheme) ?? '')}Connection: close\r\n\r\n`
        const [answer] = await server.exchange(sent)
        assert.equal(answer?.status, status)
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        const hsts = answer.headers.get('strict-transport-security')
        assert.equal(hsts, scheme === 'https' ? 'max-age=31536000' : undefined)
      }
    })
  }
})
