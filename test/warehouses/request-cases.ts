/** Cases about pages, credentials, permissions and the number of requests. */

import assert from 'node:assert/strict'
import type { WarehouseCase } from './case-source.ts'

const PAGE = 2

function createTables(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `table_${String(at).padStart(3, '0')}`,
  }))
}

const paging = (count: number, addsEmptyPages: boolean): WarehouseCase => {
  return async (source) => {
    const tables = createTables(count)
    // The listing of schemas has as many entries.
    const others = Array.from({ length: count - 1 }, (_, at) => [`other_${at}`, []])
    source.server.setContents({ sales: tables, ...Object.fromEntries(others) })
    source.cutPages(PAGE, addsEmptyPages)
    const reading = await source.read()
    const names = tables.map(({ name }) => source.name('sales', name))
    assert.deepEqual(source.listTables(reading), names)
    assert.equal(source.listComplete(reading).length, count)
  }
}

/** The cases by their names. */
export const REQUEST_CASES: Readonly<Record<string, WarehouseCase>> = {
  'reads exactly one full page': paging(PAGE, false),
  'reads one entry more than a full page': paging(PAGE + 1, false),
  'reads exactly two full pages': paging(2 * PAGE, false),
  'continues after an empty page with a token': paging(2 * PAGE + 1, true),

  'sends as many requests for one table as for a page of them': async (source) => {
    const { tablesPerPage, countRequests } = source.platform
    const counts: number[] = []
    for (const count of [1, tablesPerPage]) {
      source.server.setContents({ sales: createTables(count) })
      const { statements } = await source.read()
      counts.push(statements.length)
    }
    assert.deepEqual(counts, [countRequests(1, 1, 1), countRequests(1, tablesPerPage, 1)])
    assert.equal(counts[0], counts[1])
  },

  'sends no more requests than the protocol requires': async (source) => {
    const { tablesPerPage, countRequests } = source.platform
    const tables = createTables(tablesPerPage + 1)
    source.server.setContents({ one: tables, two: tables })
    await source.read()
    assert.equal(source.proxy.requests.length, countRequests(2, tablesPerPage + 1, 1))
  },

  'keeps other schemas complete if one is denied': async (source) => {
    const tables = createTables(2)
    source.server.setContents({ closed: tables, sales: tables })
    source.server.deny('closed')
    const reading = await source.read()
    assert.deepEqual(source.listComplete(reading), [source.name('sales')])
    const denied = source.platform.toPath('closed')
    const outcome = reading.outcomes.find(({ path }) => path.join() === denied.join())
    const scope = reading.scopes.find(({ path }) => path.join() === denied.join())
    assert.ok(outcome?.failure?.kind === 'permission' || scope?.decision === 'denied')
  },

  'fails with the credentials if they are wrong, and names a remedy': async (source) => {
    const secrets = source.platform.wrongSecrets
    assert.equal((await source.fail({ secrets })).kind, 'auth')
    const finding = (await source.check({ secrets })).find(({ state }) => state === 'error')
    assert.ok(finding?.hint, JSON.stringify(finding))
    assert.equal(source.proxy.count(source.platform.requests.tables), 0)
  },

  'renews credentials that expire during a run': async (source) => {
    const { tables, tokens } = source.platform.requests
    source.server.setContents({ sales: createTables(3), other: createTables(1) })
    const stalled = source.proxy.stall(tables)
    const reading = source.read()
    await stalled.reached
    source.server.expireTokens()
    stalled.release()
    assert.equal(source.listTables(await reading).length, 4)
    assert.equal(source.proxy.count(tokens), 2)
  },

  'reports a finding for every step of a working source': async (source) => {
    source.server.setContents({ sales: createTables(1) })
    const findings = await source.check()
    assert.ok(findings.length > 0)
    assert.ok(
      findings.every(({ state }) => state !== 'error'),
      JSON.stringify(findings),
    )
  },

  'ends at once when it is cancelled': async (source) => {
    source.server.setContents({ sales: createTables(1) })
    const abort = new AbortController()
    const stalled = source.proxy.stall(source.platform.requests.tables)
    const failing = source.fail({ signal: abort.signal })
    await stalled.reached
    abort.abort()
    assert.equal((await failing).kind, 'cancelled')
  },
}
