/** The lists of what pipelines report: their periods (`from`, `to`) and pages (`p`, `size`), one row for each list. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson } from './answers.ts'
import { onStore } from './stores.ts'
import { listSpans, newSpan, toTraces, type OtlpTraces } from './usage.ts'
import { expectOk, newProduct, newWorld, uniqueId, type World } from './world.ts'

/** A list, a report of an instant for it, and the ids of an answer. */
interface ReportList {
  readonly path: string
  newReport(id: string, instant: string): object
  readonly listIds: (answer: unknown) => string[]
  /** Whether the newest report is the first; otherwise they are in the order of their ids. */
  readonly isNewestFirst: boolean
}

const LISTS: readonly ReportList[] = [
  {
    path: '/api/test-results',
    newReport: (id, instant) => ({
      id,
      dataContractId: 'orders',
      result: 'passed',
      timestampEnd: instant,
    }),
    listIds: (answer) => (answer as { id: string }[]).map(({ id }) => id),
    isNewestFirst: true,
  },
  {
    path: '/api/v1/lineage',
    newReport: (id, instant) => ({
      eventTime: instant,
      run: { runId: id },
      job: { namespace: 'n', name: 'j' },
    }),
    listIds: (answer) => (answer as { run: { runId: string } }[]).map(({ run }) => run.runId),
    isNewestFirst: true,
  },
  {
    path: '/api/v1/traces',
    newReport: (id, instant) =>
      toTraces('orders', [{ ...newSpan({ start: toNanoseconds(instant) }), spanId: id }]),
    listIds: (answer) => listSpans(answer as OtlpTraces).map(({ spanId }) => spanId),
    isNewestFirst: false,
  },
]

// Within the months that usage is counted for.
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

/** The reports of the test, in the order of their instants and ids. */
const REPORTS: readonly (readonly [id: string, instant: string])[] = [
  ['00000000000000a1', `${DAY}T01:00:00.000001Z`],
  ['00000000000000a2', `${DAY}T02:00:00Z`],
  ['00000000000000a3', `${DAY}T03:00:00Z`],
  ['00000000000000a4', `${DAY}T04:00:00Z`],
]

const PERIODS: Readonly<Record<string, readonly number[]>> = {
  [`from=${DAY}T02:00:00Z`]: [2, 3, 4],
  [`from=${DAY}T02:00:00.000001Z`]: [3, 4],
  [`to=${DAY}T03:00:00Z`]: [1, 2],
  [`to=${DAY}T03:00:00.000001Z`]: [1, 2, 3],
  [`from=${DAY}T02:00:00Z&to=${DAY}T04:00:00Z`]: [2, 3],
  // An offset as clients encode it, and one whose plus sign they do not.
  [`from=${DAY}T05:00:00%2B02:00`]: [3, 4],
  [`from=${DAY}T05:00:00+02:00`]: [3, 4],
  [`from=${DAY}T02:00:00Z&to=${DAY}T02:00:00Z`]: [],
  'from=2000-01-01T00:00:00Z&to=2000-01-02T00:00:00Z': [],
}

onStore((store) => {
  for (const list of LISTS) {
    const { path, listIds } = list
    describe(`GET ${path}`, () => {
      let world: World
      before(async () => {
        const product = newProduct(store())
        world = await newWorld(product)
        // Another organization reports the same ids at the same instants, and one more.
        const other = await newWorld(product)
        for (const [id, instant] of REPORTS) {
          await expectReported(list, world, id, instant)
          await expectReported(list, other, id, instant)
        }
        await expectReported(list, other, '00000000000000a5', `${DAY}T02:30:00Z`)
      })

      for (const [query, numbers] of Object.entries(PERIODS)) {
        test(`200 for ?${query}: ${numbers.join(', ') || 'none'}`, async () => {
          const answer = await readJson(world.as('Ur', 'GET', `${path}?${query}`))
          assert.deepEqual(listIds(answer), toIds(list, numbers))
        })
      }

      test('200 with pages of a size, each with a link to the next one', async () => {
        const ids: string[] = []
        let next: string | undefined = `${path}?from=${DAY}T02:00:00Z&size=2`
        let pages = 0
        while (next !== undefined) {
          const answer: Response = await expectOk(world.as('Ur', 'GET', next))
          ids.push(...listIds(await answer.json()))
          next = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
          pages += 1
        }
        assert.equal(pages, 2)
        assert.deepEqual(ids, toIds(list, [2, 3, 4]))
        const second = await readJson(world.as('Ur', 'GET', `${path}?p=1&size=3`))
        assert.deepEqual(listIds(second), toIds(list, [1, 2, 3, 4]).slice(3))
        assert.deepEqual(listIds(await readJson(world.as('Ur', 'GET', `${path}?p=9`))), [])
      })

      for (const query of [
        'from=yesterday',
        `from=${DAY}`,
        `to=${DAY}T00:00:00`,
        `from=${DAY}T00:00:00Z&from=${DAY}T00:00:00Z`,
        'to=',
        'size=0',
        'size=-1',
        'size=1001',
        'size=x',
        'size=2.5',
        'p=-1',
        'form=x',
      ]) {
        test(`400 for ?${query}`, async () => {
          const { violations } = await expectProblem(world.as('Ur', 'GET', `${path}?${query}`), 400)
          assert.equal(violations?.length, 1)
        })
      }
    })
  }

  test('GET /api/v1/lineage › an event without a time has that of its arrival', async () => {
    const world = await newWorld(newProduct(store()))
    const body = { run: { runId: uniqueId() }, job: { namespace: 'n', name: 'j' } }
    await world.as('O', 'POST', '/api/v1/lineage', { body })
    const count = async (query: string): Promise<number> =>
      (await readJson<unknown[]>(world.as('O', 'GET', `/api/v1/lineage?${query}`))).length
    assert.equal(await count(`from=${DAY}T00:00:00Z`), 1)
    assert.equal(await count(`to=${DAY}T00:00:00Z`), 0)
  })
})

async function expectReported(
  { path, newReport }: ReportList,
  world: World,
  id: string,
  instant: string,
): Promise<void> {
  const { status } = await world.as('O', 'POST', path, { body: newReport(id, instant) })
  assert.ok([200, 201].includes(status))
}

function toIds({ isNewestFirst }: ReportList, numbers: readonly number[]): string[] {
  const ids = numbers.map((number) => REPORTS[number - 1]?.[0] ?? '')
  return isNewestFirst ? ids.toReversed() : ids
}

function toNanoseconds(instant: string): string {
  return String(Temporal.Instant.from(instant).epochNanoseconds)
}
