/** The reports of the test runner about its processes. */

import { Readable } from 'node:stream'
import { spec, type TestEvent } from 'node:test/reporters'
import type { Spent } from './test-spent.ts'
import type { Tier } from './test-tiers.ts'

/** The result of one process. */
export type Outcome = {
  readonly name: string
  readonly tier: Tier
  readonly ok: boolean
  readonly durationMs: number
  /** Of the process and its children; undefined = they are not counted. */
  readonly spent: Spent | undefined
  readonly counts: Counts
  readonly events: readonly TestEvent[]
}

/** The numbers of tests of one process. */
export type Counts = Extract<TestEvent, { type: 'test:summary' }>['data']['counts']

const slowestShown = 10

/** Prints all reports of a process on a terminal, and one line elsewhere. */
export async function printOutcome(outcome: Outcome): Promise<void> {
  const { name, ok, counts, durationMs, spent, events } = outcome
  const times = `${seconds(durationMs)}${formatSpent(spent?.seconds)}`
  console.log(`${ok ? '✔' : '✖'} ${name} (${counts.tests} tests, ${times})`)
  if (process.stdout.isTTY) await printEvents(events.filter((event) => !isCount(event)))
}

/** Prints the failures in full, the slowest and the most expensive files, and node's closing lines for the whole run. */
export async function printClosing(
  outcomes: readonly Outcome[],
  durationMs: number,
): Promise<void> {
  for (const { name, events } of outcomes.filter(({ ok }) => !ok)) {
    console.log(`\n✖ ${name}`)
    // Passed tests are omitted; the output of a failing file may show the cause.
    const failures = ['test:fail', 'test:stdout', 'test:stderr']
    await printEvents(events.filter(({ type }) => failures.includes(type)))
  }
  const slowest = outcomes
    .flatMap(listFileDurations)
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, slowestShown)
  if (slowest.length > 0) console.log('\nslowest files')
  for (const { name, durationMs } of slowest) {
    console.log(`  ${seconds(durationMs).padStart(7)}  ${name}`)
  }
  const costs = outcomes
    .flatMap(({ spent }) => Object.entries(spent?.secondsByFile ?? {}))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, slowestShown)
  if (costs.length > 0) console.log('\nfiles with most processor seconds')
  for (const [name, spent] of costs) console.log(`  ${spent.toFixed(1).padStart(7)}  ${name}`)
  const [tests, pass] = [sum(outcomes, 'tests'), sum(outcomes, 'passed')]
  const [cancelled, skipped] = [sum(outcomes, 'cancelled'), sum(outcomes, 'skipped')]
  const todo = sum(outcomes, 'todo')
  console.log(`
ℹ tests ${tests}
ℹ suites ${sum(outcomes, 'suites')}
ℹ pass ${pass}
ℹ fail ${tests - pass - cancelled - skipped - todo}
ℹ cancelled ${cancelled}
ℹ skipped ${skipped}
ℹ todo ${todo}
ℹ duration_ms ${durationMs.toFixed(0)}`)
}

/** Lists the files of a process, which are its outermost suites, with the time that each took. */
function listFileDurations({ events }: Outcome): { name: string; durationMs: number }[] {
  const ends = events.filter((event) => event.type === 'test:complete')
  return ends
    .filter(({ data }) => data.nesting === 0 && data.name.includes('.test.'))
    .map(({ data }) => ({ name: data.name, durationMs: data.details.duration_ms }))
}

/** Prints events as node's spec reporter does. */
async function printEvents(events: readonly TestEvent[]): Promise<void> {
  for await (const text of Readable.from(events).compose(new spec())) process.stdout.write(text)
}

/** Returns whether an event is a count of one process (`tests 3`), which would look like that of the run. */
function isCount(event: TestEvent): boolean {
  return event.type === 'test:diagnostic' && event.data.file === undefined
}

/** Adds up a count of processes. */
export function sum(outcomes: readonly Outcome[], count: keyof Counts): number {
  return outcomes.reduce((total, { counts }) => total + counts[count], 0)
}

/** Writes a duration in seconds. */
export function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`
}

/** Writes processor seconds as the end of a list. */
export function formatSpent(processorSeconds: number | undefined): string {
  return processorSeconds === undefined ? '' : `, ${processorSeconds.toFixed(0)} processor seconds`
}
