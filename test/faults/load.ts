/**
 * Writers that record every acknowledgement, and the check after every fault: is every acknowledged
 * write stored, and is the store consistent?
 */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { HttpAnswer, HttpClient } from '../http-client.ts'
import { query } from '../operator.ts'
import type { StorePlace } from '../stores.ts'

/** The team that owns all products of the writers. */
export const TEAM = 'writers'

/** A product of a single writer, with its certain and possible states. */
interface OwnProduct {
  id: string
  /** The last acknowledged marker; undefined if the product does not exist. */
  state: string | undefined
  /** States of requests without a response, which may have been applied. */
  unanswered: { state: string | undefined }[]
}

// Only the writers of a failed test lose so many connections in a row.
const LOST_MAX = 2000

/** The responses to the writers. */
export interface Ledger {
  own: OwnProduct[]
  shared: string[]
  /** The marker of every acknowledged PUT, with its product. */
  acknowledged: Map<string, string>
  acknowledgedCount: number
  /** The number of responses by status; 0 = the connection was lost. */
  statuses: Map<number, number>
  /** The slowest response; status 0 = the connection was lost. */
  slowest: { request: string; status: number; durationMs: number }
}

/** Creates an empty ledger for a number of writers. */
export function newLedger(writerCount: number): Ledger {
  const own = Array.from({ length: writerCount }, (_, index) => ({
    id: `own-${index}`,
    state: undefined,
    unanswered: [],
  }))
  return {
    own,
    shared: ['shared-1', 'shared-2', 'shared-3'],
    acknowledged: new Map(),
    acknowledgedCount: 0,
    statuses: new Map(),
    slowest: { request: '', status: 0, durationMs: 0 },
  }
}

/** Returns the document of a product with a unique marker. */
export function createDocument(id: string, marker: string): object {
  return {
    apiVersion: 'v1.0.0',
    kind: 'DataProduct',
    id,
    status: 'active',
    name: `Product ${id}`,
    version: marker,
    team: { name: TEAM },
    outputPorts: [{ name: 'out', version: '1', description: marker, contractId: `contract-${id}` }],
  }
}

/** Running writers. */
export interface Writers {
  /** Waits until `count` further PUTs and DELETEs are acknowledged. */
  acknowledged(count: number): Promise<void>
  /** Stops each writer after its current request. */
  stop(): Promise<void>
}

/** Registers the team of the writers. */
export async function registerTeam(client: HttpClient): Promise<void> {
  await client.ok('PUT', `/api/teams/${TEAM}`, { body: { id: TEAM, name: 'Writers' } })
}

/**
 * Starts one writer for each own product of the ledger. In turn, it writes to its own product, the
 * shared products and a team, and sometimes deletes its own; it counts errors and lost connections, and
 * continues.
 */
export function startWriters(client: HttpClient, ledger: Ledger): Writers {
  const stopping = new AbortController()
  const waiting = new Set<{ at: number; done: () => void }>()
  const acknowledge = (): void => {
    ledger.acknowledgedCount += 1
    for (const one of waiting) {
      if (ledger.acknowledgedCount >= one.at) one.done()
    }
  }
  const request = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<HttpAnswer | undefined> => {
    const startedAtMs = performance.now()
    const answer = await client.send(method, path, { body }).catch(() => undefined)
    const durationMs = performance.now() - startedAtMs
    const status = answer?.status ?? 0
    if (durationMs > ledger.slowest.durationMs) {
      ledger.slowest = { request: `${method} ${path}`, status, durationMs }
    }
    ledger.statuses.set(status, (ledger.statuses.get(status) ?? 0) + 1)
    return answer
  }
  const writeProduct = async (
    method: string,
    id: string,
    marker?: string,
  ): Promise<HttpAnswer | undefined> => {
    const body = marker === undefined ? undefined : createDocument(id, marker)
    const answer = await request(method, `/api/dataproducts/${id}`, body)
    const status = answer?.status ?? 0
    if (answer !== undefined && status === 200) {
      if (marker !== undefined) ledger.acknowledged.set(marker, id)
      acknowledge()
    }
    return answer
  }
  const write = async (product: OwnProduct): Promise<void> => {
    let lost = 0
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const shared = ledger.shared[turn % ledger.shared.length] ?? ''
      if (turn % 3 === 0) await writeProduct('PUT', shared, newMarker())
      if (turn % 7 === 0) {
        const team = `team-of-${product.id}`
        const body = { id: team, name: team, parent: TEAM, description: newMarker() }
        await request('PUT', `/api/teams/${team}`, body)
      }
      const state = turn % 10 === 9 && product.state !== undefined ? undefined : newMarker()
      const method = state === undefined ? 'DELETE' : 'PUT'
      const answer = await writeProduct(method, product.id, state)
      if (answer?.status === 200) {
        product.state = state
        product.unanswered = []
      } else if (answer === undefined || answer.status >= 500) {
        product.unanswered.push({ state })
        lost = answer === undefined ? lost + 1 : 0
        assert.ok(lost < LOST_MAX, 'the server is gone')
        await pause()
      } else {
        // If the first try of a DELETE had no response, a second one may return 404.
        assert.equal(answer.status, 404, answer.text)
        product.unanswered.push({ state: undefined })
      }
    }
  }
  const writing = Promise.all(ledger.own.map(write))
  // The error is reported to the caller of `stop`.
  writing.catch(() => undefined)
  return {
    async acknowledged(count) {
      const enough = new Promise<void>((done) => {
        waiting.add({ at: ledger.acknowledgedCount + count, done })
      })
      await Promise.race([enough, writing])
    },
    async stop() {
      stopping.abort()
      await writing
    },
  }
}

/** Reads every product back, and continues from its current state. */
export async function checkThroughHttp(client: HttpClient, ledger: Ledger): Promise<void> {
  for (const product of ledger.own) {
    const answer = await client.send('GET', `/api/dataproducts/${product.id}`)
    const found = answer.status === 404 ? undefined : (JSON.parse(answer.text).version as string)
    const possible = [product.state, ...product.unanswered.map(({ state }) => state)]
    assert.ok(possible.includes(found), `${product.id} is ${found}, not one of ${possible.join()}`)
    product.state = found
    product.unanswered = []
  }
  for (const id of [...ledger.shared, ...ledger.own.map((product) => product.id)]) {
    const versions = await listVersions(client, id)
    const expected = versions.map((_, index) => versions.length - index)
    assert.deepEqual(versions, expected, `the versions of ${id} have no gap`)
  }
}

/** Lists the version numbers of a product, newest first; none if it never existed. */
export async function listVersions(client: HttpClient, id: string): Promise<number[]> {
  const versions: number[] = []
  for (let page = 0; ; page += 1) {
    const answer = await client.send('GET', `/api/dataproducts/${id}/versions?p=${page}`)
    if (answer.status === 404 && page === 0) return []
    assert.equal(answer.status, 200, answer.text)
    const found = (JSON.parse(answer.text) as { version: number }[]).map(({ version }) => version)
    versions.push(...found)
    if (answer.headers['link'] === undefined) return versions
  }
}

/** Checks the store for inconsistencies; no process may write to it. */
export async function checkStore(place: StorePlace, ledger: Ledger): Promise<void> {
  for (const [flaw, statement] of Object.entries(FLAWS)) {
    assert.deepEqual(await query(place, statement), [], flaw)
  }
  const rows = await query(
    place,
    `select external_id, document::json ->> 'version' as marker from revision
     where kind = 'data-product'`,
  )
  const written = new Map(rows.map((row) => [row['marker'], row['external_id']]))
  const missing = [...ledger.acknowledged].filter(([marker, id]) => written.get(marker) !== id)
  assert.deepEqual(missing, [], 'no acknowledged write is missing')
  assert.equal(written.size, rows.length, 'no version was written twice')
}

// Each statement finds contradictions; none may find a row.
const FLAWS: Readonly<Record<string, string>> = {
  'the versions of a document have no gap': `
    select kind, external_id, count(*), min(version), max(version)
    from revision
    group by organization_id, kind, external_id
    having min(version) <> 1 or max(version) <> count(*)`,
  'a product is its last revision': `
    select product.external_id, product.version, revision.version as last
    from data_product as product
    full join (
      select distinct on (organization_id, external_id) *
      from revision
      where kind = 'data-product'
      order by organization_id, external_id, version desc
    ) as revision using (organization_id, external_id)
    where product.version is distinct from
        case when revision.deleted_at is null then revision.version end
      or (product.version is not null
        and (product.digest, product.document, product.updated_at)
          <> (revision.digest, revision.document, revision.valid_from))`,
  'a team is its last revision': `
    select team.external_id
    from team
    left join revision on revision.organization_id = team.organization_id
      and revision.kind = 'team'
      and revision.external_id = team.external_id
      and revision.version = team.version
    where revision.digest is distinct from team.digest`,
  'every version has exactly one event': `
    select revision.kind, revision.external_id, revision.version, count(event.id)
    from revision
    left join event on event.organization_id = revision.organization_id
      and event.kind = revision.kind
      and event.subject = revision.external_id
      and event.version = revision.version
      and event.output_port_id is null
      and not event.removal
    group by revision.organization_id, revision.kind, revision.external_id, revision.version
    having count(event.id) <> 1`,
  'every deletion has its event, and every event its version': `
    select event.type, event.subject, event.version
    from event
    left join revision on event.organization_id = revision.organization_id
      and event.kind = revision.kind
      and event.subject = revision.external_id
      and event.version = revision.version
    where revision.version is null
      or event.removal and event.output_port_id is null and revision.deleted_at is null`,
  'no reference dangles': `
    select product.external_id
    from data_product as product
    left join team on team.organization_id = product.organization_id
      and team.id = product.owner_team_id
    where team.id is null`,
}

/** Returns a unique text. */
export function newMarker(): string {
  return randomBytes(8).toString('hex')
}

/** Yields to the event loop, so that a writer without a server does not block everything else. */
async function pause(): Promise<void> {
  await new Promise((done) => setTimeout(done, 5))
}
