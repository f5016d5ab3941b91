/**
 * Isolation of organizations with equal ids: no request reads or changes a row of an organization that has the same
 * teams, documents, integrations, agreements and keys, with the same ids. In its own organization, a request changes
 * only the resources that its path and body name.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../server/platform/tables.ts'
import { ui } from '../server/ui.ts'
import { eventsSoFar } from './feed.ts'
import type { PermissionRow, Sent } from './permissions/requests.ts'
import { ROOMS } from './isolation-probes.ts'
import { ROWS } from './permissions/rows.ts'
import { onStore } from './stores.ts'
import { addShownResources } from './twin-pages.ts'
import { addTwin, TWIN_MARK, watchRows, type RowChange, type Twin } from './twin.ts'
import { CALLERS, newProduct, newWorld, odcs, odps, putOne } from './world.ts'
import type { CallerName, World } from './world.ts'

const CHANGES = selectRows((method) => method !== 'GET')
const READS = selectRows((method) => method === 'GET')
// Requests of the pages that need no parameters.
const PAGE_READS = ui.filter(
  ({ method, path }) => method === 'GET' && !path.includes('{') && !isShared(path),
)

/** Shows the whole installation, and fewer numbers if it has several organizations; `server/about/health.test.ts`. */
const INSTALLATION = '/ui/health'

onStore((store) => {
  let world: World
  let twin: Twin
  let takeChanges: () => Promise<RowChange[]>
  let pages: readonly string[]
  let changedByReading: readonly RowChange[]
  const requests = new Map<PermissionRow, Sent>()
  const answersBefore = new Map<string, string>()

  /** Reads everything that the pages and the API show. */
  const readAll = async (): Promise<Map<string, string>> => {
    const answers = new Map<string, string>()
    for (const { row, caller } of READS) {
      const path = requests.get(row)?.path ?? ''
      answers.set(`${row.route} › ${row.action}`, await show(world.as(caller, 'GET', path)))
    }
    for (const path of [...PAGE_READS.map((page) => page.path), ...pages]) {
      answers.set(`GET ${path}`, await show(world.asPerson('Uo', 'GET', path)))
    }
    return answers
  }
  let answersBeside: ReadonlyMap<string, string>

  before(async () => {
    world = await newWorld(newProduct(store()))
    pages = await addShownResources(world)
    for (const { row } of [...READS, ...CHANGES]) requests.set(row, await row.request(world))
    await addNamesakes(world, [...requests.values()])
    await settleAll(world)
    // Transactions of other tests delay the feed: from here on it has everything.
    await eventsSoFar(world)
    takeChanges = await watchRows(store().db)
    for (const [name, answer] of await readAll()) answersBefore.set(name, answer)
    changedByReading = (await takeChanges()).filter(({ isMore }) => isMore)
    twin = await addTwin(world)
    answersBeside = await readAll()
    await takeChanges()
  })

  for (const { row } of READS) {
    const name = `${row.route} › ${row.action}`
    test(`${name} › the same answer beside the twin`, () => compareAnswers(name))
  }

  test('GET › every read changes no row', () => {
    assert.deepEqual(changedByReading, [])
  })

  test('the pages show the same beside the twin', () => {
    for (const path of [...PAGE_READS.map((page) => page.path), ...pages]) {
      if (path !== INSTALLATION) compareAnswers(`GET ${path}`)
    }
    for (const path of pages) assert.match(answersBefore.get(`GET ${path}`) ?? '', /^200 /, path)
  })

  function compareAnswers(name: string): void {
    const before = withoutDraft(answersBefore.get(name))
    assert.equal(withoutDraft(answersBeside.get(name)), before, name)
    assert.ok(answersBeside.get(name)?.includes(TWIN_MARK) === false)
  }

  for (const { row, caller } of CHANGES) {
    test(`${row.route} › ${row.action} › changes only the rows that it names`, async () => {
      const { path, body } = requests.get(row) ?? { path: '' }
      const [method = ''] = row.route.split(' ')
      const response = await world.as(caller, method, path, { body })
      assert.ok(response.ok, `${response.status}: ${await response.text()}`)
      const changes = await takeChanges()
      const ofTwin = changes.filter(({ organizationId }) => organizationId === twin.organizationId)
      assert.deepEqual(ofTwin, [])
      const named = JSON.stringify([path, body])
      const others = changes
        .filter(({ organizationId }) => organizationId === world.organizationId)
        .filter(({ table, id, isOld, isMore }) => {
          return isOld && isMore && id !== '' && table !== 'organization'
        })
        .filter((other) => !named.includes(other.id) || isNamesake(other, path))
      assert.deepEqual(others, [])
      assert.deepEqual(await listRepeatedEntries(store().db, world.organizationId), [])
    })
  }
})

/** Brings up to date what follows from rows that were added without a request, so that no later change does it. */
async function settleAll({ services, organizationId }: World): Promise<void> {
  const { db, clock, settleReality } = services
  const change = { organizationId, principal: 'system', requestId: '' }
  await db.transaction().execute(async (transaction) => {
    const address = { kind: 'address', integrationId: randomUUID() } as const
    await settleReality(transaction, clock, { ...change, ...address })
  })
}

/** Returns an answer without the proposed id of a new provider, which is random, and what follows from it. */
function withoutDraft(answer = ''): string {
  return answer.replace(/"draft":\{[^}]*\}/, '"draft":{}')
}

/** Lists what one request recorded more than once: a statement without its condition finds the twin's row, too. */
async function listRepeatedEntries(db: Database, organizationId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select request_id, kind, action, subject, team, details
    from activity_entry
    where organization_id = ${organizationId}
      and request_id <> ''
    group by request_id, kind, action, subject, team, details
    having count(*) > 1
  `.execute(db)
  return rows
}

/** Adds a document of another kind with the id of each document that a request names. */
async function addNamesakes(world: World, requests: readonly Sent[]): Promise<void> {
  for (const { path } of requests) {
    const { room, id } = splitPath(path)
    if (!ROOMS.includes(room)) continue
    const namesake = room === 'datacontracts' ? 'dataproducts' : 'datacontracts'
    await putOne(world, namesake, (room === 'datacontracts' ? odps : odcs)(id))
  }
}

/** Returns whether a row is of the document that only has the same id as that of a path. */
function isNamesake({ table, kind }: RowChange, path: string): boolean {
  const { room } = splitPath(path)
  const type = room === 'datacontracts' ? 'data-product' : 'data-contract'
  return ROOMS.includes(room) && [table.replace('_', '-'), kind].includes(type)
}

function splitPath(path: string): { room: string; id: string } {
  const [, room = '', id = ''] = /^\/api\/([^/]+)\/([^/?]+)/.exec(path) ?? []
  return { room, id }
}

/** Returns whether a page shows the whole installation, or all organizations of a person. */
function isShared(path: string): boolean {
  return path === '/ui/about' || path === '/ui/session'
}

/** Selects the rows of a method that succeed, with a caller who may send the request. */
function selectRows(
  isMethod: (method: string) => boolean,
): { row: PermissionRow; caller: CallerName }[] {
  return ROWS.filter(({ route }) => isMethod(route.split(' ')[0] ?? '')).flatMap((row) => {
    const statuses = row.statuses.split(' ')
    const callers = CALLERS.filter((_, at) => statuses[at]?.startsWith('2'))
    const caller = callers.find((name) => name === 'O') ?? callers[0]
    return caller === undefined ? [] : [{ row, caller }]
  })
}

async function show(answer: Promise<Response>): Promise<string> {
  const response = await answer
  return `${response.status} ${await response.text()}`
}
