/**
 * Isolation of organizations with equal ids: no request reads or changes a row of an organization that has the same
 * teams, documents, integrations, agreements and keys, with the same ids.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ui } from '../server/ui.ts'
import type { PermissionRow, Sent } from './permissions/requests.ts'
import { ROWS } from './permissions/rows.ts'
import { onStore } from './stores.ts'
import { addTwin, expectUntouched, TWIN_MARK, type Twin } from './twin.ts'
import { CALLERS, newProduct, newWorld, type CallerName, type World } from './world.ts'

const CHANGES = selectRows((method) => method !== 'GET')
const READS = selectRows((method) => method === 'GET')
// Requests of the pages that need no parameters.
const PAGE_READS = ui.filter(
  ({ method, path }) => method === 'GET' && !path.includes('{') && !isShared(path),
)

onStore((store) => {
  let world: World
  let twin: Twin
  const requests = new Map<PermissionRow, Sent>()
  const answersBefore = new Map<string, string>()

  /** Reads everything that the pages and the API show. */
  const readAll = async (): Promise<Map<string, string>> => {
    const answers = new Map<string, string>()
    for (const { row, caller } of READS) {
      const path = requests.get(row)?.path ?? ''
      answers.set(`${row.route} › ${row.action}`, await show(world.as(caller, 'GET', path)))
    }
    for (const { path } of PAGE_READS) {
      answers.set(`GET ${path}`, await show(world.asPerson('Uo', 'GET', path)))
    }
    return answers
  }
  let answersBeside: ReadonlyMap<string, string>

  before(async () => {
    world = await newWorld(newProduct(store()))
    for (const { row } of [...READS, ...CHANGES]) requests.set(row, await row.request(world))
    for (const [name, answer] of await readAll()) answersBefore.set(name, answer)
    twin = await addTwin(world)
    answersBeside = await readAll()
  })

  describe('a request that reads gets the same answer beside a twin', () => {
    const names = [
      ...READS.map(({ row }) => `${row.route} › ${row.action}`),
      ...PAGE_READS.map(({ path }) => `GET ${path}`),
    ]
    for (const name of names) {
      test(name, () => {
        assert.equal(answersBeside.get(name), answersBefore.get(name))
        assert.ok(answersBeside.get(name)?.includes(TWIN_MARK) === false)
      })
    }
  })

  describe('a request that changes something leaves the twin as it is', () => {
    for (const { row, caller } of CHANGES) {
      test(`${row.route} › ${row.action}`, async () => {
        const { path, body } = requests.get(row) ?? { path: '' }
        const [method = ''] = row.route.split(' ')
        const response = await expectUntouched([twin], () =>
          world.as(caller, method, path, { body }),
        )
        assert.ok(response.ok, `${response.status}: ${await response.text()}`)
      })
    }
  })
})

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
