/** Cases about failing, damaged and foreign answers. */

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SourceFailure } from '../../server/connectors/connector.ts'
import { newDialer } from '../../server/platform/kit/dialer.ts'
import type { CaseSource } from './case-source.ts'
import type { WarehouseCase } from './case-source.ts'
import { matches, type Fault } from './fault-proxy.ts'

const HTML: Fault = { text: '<!doctype html><title>Sign in</title>' }
const TRIES = 3
const CONTENTS = { sales: [{ name: 'orders' }, { name: 'lines' }] }

/** Fails the next requests for tables, and asserts that the connector tries again. */
const recovers = (how: Fault, times = 1): WarehouseCase => {
  return async (source) => {
    source.server.setContents(CONTENTS)
    for (const when of [source.platform.requests.schemas, source.platform.requests.tables]) {
      source.proxy.fail(when, how, times)
    }
    await assertComplete(source)
  }
}

async function assertComplete(source: CaseSource): Promise<void> {
  const reading = await source.read()
  const names = CONTENTS.sales.map(({ name }) => source.name('sales', name))
  assert.deepEqual(source.listTables(reading), names.toSorted())
  assert.deepEqual(source.listComplete(reading), [source.name('sales')])
}

/** Fails all requests for tables, and asserts that the schema is not complete. */
const failsSchema = (how: Fault): WarehouseCase => {
  return async (source) => {
    source.server.setContents(CONTENTS)
    source.proxy.fail(source.platform.requests.tables, how)
    const reading = await source.read()
    assert.deepEqual(source.listTables(reading), [])
    assert.deepEqual(source.listComplete(reading), [])
    const failures = reading.outcomes.flatMap(({ failure }) => failure?.kind ?? [])
    assert.deepEqual(failures, ['protocol'])
    assert.equal(source.proxy.count(source.platform.requests.tables), TRIES)
  }
}

/** The cases by their names. */
export const FAULT_CASES: Readonly<Record<string, WarehouseCase>> = {
  'tries again after one answer with status 500': recovers({ status: 500 }),
  'tries again after two answers with status 503': recovers({ status: 503 }, 2),
  'tries again after a connection that ends in the middle of an answer': recovers('drop'),
  'tries again after a connection that ends without an answer': recovers('hang up'),
  'tries again after one HTML page': recovers(HTML),
  'fails a schema whose listing is an HTML page': failsSchema(HTML),
  'fails a schema whose listing is truncated': failsSchema({ text: '{"tables":[{"na' }),

  'requests smaller pages if an answer is too large': async (source) => {
    source.server.setContents(CONTENTS)
    const { schemas, tables } = source.platform.requests
    // One more byte than an answer may have; the second size is too large, too.
    const text = ' '.repeat(64 * 1024 * 1024 + 1)
    source.proxy.fail(schemas, { text }, 1)
    source.proxy.fail(tables, { text }, 2)
    await assertComplete(source)
    const requests = source.proxy.requests.filter((request) => matches(tables, request))
    const sizes = requests.slice(0, 3).map(({ target, body }) => target + body)
    assert.equal(new Set(sizes).size, 3, sizes.join())
  },

  'waits after status 429 as long as the source requests': async (source) => {
    source.server.setContents(CONTENTS)
    source.proxy.fail(source.platform.requests.tables, { status: 429, retryAfter: 7 }, 1)
    await assertComplete(source)
    assert.ok(Math.max(...source.waitsMs) > 6900, String(source.waitsMs))
  },

  'fails if the source requests a longer wait than a run may take': async (source) => {
    source.server.setContents(CONTENTS)
    source.proxy.fail(source.platform.requests.tables, { status: 429, retryAfter: 3600 })
    const { kind, retryAfterMs } = await source.fail()
    assert.deepEqual([kind, retryAfterMs], ['rate_limited', 3_600_000])
  },

  'fails if the source keeps failing': async (source) => {
    source.server.setContents(CONTENTS)
    source.proxy.fail(source.platform.requests.tables, { status: 502 })
    assert.equal((await source.fail()).kind, 'unreachable')
  },

  'reads an answer that arrives byte by byte': async (source) => {
    source.server.setContents({ s: [] })
    source.proxy.fail(source.platform.requests.tables, 'drip', 1)
    assert.deepEqual(source.listComplete(await source.read()), [source.name('s')])
  },

  'writes no secret to a log if a request fails': async (source) => {
    const { schemas, tables, tokens } = source.platform.requests
    source.server.setContents(CONTENTS)
    const body = '{"error":"rejected","message":"rejected"}'
    for (const when of [tables, schemas, tokens]) {
      for (const how of [{ status: 400, body }, { status: 403, body }, { text: body }, HTML]) {
        source.proxy.heal()
        source.proxy.fail(when, how)
        await source.check()
        // The texts of every reading are checked when the case ends. A denied schema is not a failure.
        await source.read().catch((error: unknown) => assert.ok(error instanceof SourceFailure))
      }
    }
  },

  'sends nothing to a host to which the source redirects': async (source) => {
    const other = await startPage()
    source.server.setContents(CONTENTS)
    source.proxy.fail(source.platform.requests.schemas, { status: 307, location: other.url })
    assert.equal((await source.fail()).kind, 'protocol')
    assert.equal(await other.close(), 0)
  },

  'reports a host that is another service, or does not answer': async (source) => {
    const page = await startPage()
    const { configuration, secrets } = source.platform.configure(page.url)
    const elsewhere = {
      configuration: source.platform.connector.description.configuration.parse(configuration),
      secrets,
    }
    const { kind, message } = await source.fail(elsewhere)
    assert.ok(['protocol', 'auth'].includes(kind), `${kind}: ${message}`)
    const finding = (await source.check(elsewhere)).find(({ state }) => state === 'error')
    assert.ok(finding?.hint, JSON.stringify(finding))
    await page.close()
    assert.equal((await source.fail(elsewhere)).kind, 'unreachable')
    const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
    assert.match((await source.fail({ dialer })).message, /private address/)
  },
}

/** Starts a web server that answers every request with a page; closing it returns the number of requests. */
async function startPage(): Promise<{ url: string; close(): Promise<number> }> {
  let count = 0
  const server = createServer((_request, response) => {
    count += 1
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Welcome</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      return count
    },
  }
}
