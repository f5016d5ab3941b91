import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { LOOPS, startLoops } from './loops.ts'
import type { ProcessRole } from './platform/processes/process.ts'

const SERVER = fileURLToPath(new URL('.', import.meta.url))

/** The files with timers that repeat: the loop to which each belongs, or why it belongs to none. */
const TIMERS: Readonly<Record<string, string>> = {
  'store-guard.ts': 'store-guard',
  'platform/processes/presence.ts': 'presence',
  'platform/processes/upkeep.ts': 'upkeep',
  'platform/kit/periodic-jobs.ts': 'credential-use, distribution',
  'ingestion/runs/worker.ts': 'runs',
  'ingestion/runs/attempt-service.ts': 'runs',
  'ledger/events/follow-service.ts': 'followers',
  'about/state-service.ts': 'state',
  'delivery/deliveries/worker.ts': 'deliveries',
  'platform/kit/statement-cancel.ts': 'during a statement of a request or a run',
  'platform/kit/worker-pool.ts': 'during a task of a request',
  'platform/postgres/disk-space.ts': "measures the disk of Portbook's own PostgreSQL",
  'requests/http/upload.ts': 'during a request',
  'requests/http/connections.ts': 'closes connections of clients',
  'requests/http/server.ts': 'closes connections of clients while the process stops',
  'connectors/source-process/reader.ts': 'in a child process of a run',
  'connectors/source-process/watchdog.ts': 'during a run or a connection test',
}

test('every timer that repeats belongs to a loop of the table, or has a reason', () => {
  const files = globSync('**/*.ts', { cwd: SERVER })
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('.fixture.ts'))
    .filter((file) => readFileSync(`${SERVER}${file}`, 'utf8').includes('setInterval('))
  assert.deepEqual(files.toSorted(), Object.keys(TIMERS).toSorted())
  const named = new Set(Object.values(TIMERS).flatMap((text) => text.split(', ')))
  const unnamed = LOOPS.map(({ name }) => name).filter((name) => !named.has(name))
  // One listens, and one repairs three times after a start.
  assert.deepEqual(unnamed, ['run-signals', 'index-repair'])
})

for (const [role, groups] of [
  ['serving', ['every process', 'serving processes']],
  ['working', ['every process', 'working processes']],
  ['both', ['every process', 'serving processes', 'working processes']],
] satisfies [ProcessRole, string[]][]) {
  test(`a process that is ${role} starts the loops of ${groups.join(' and ')}, and stops them`, async () => {
    const running = new Set<string>()
    const stopped: string[] = []
    const starters = Object.fromEntries(
      LOOPS.map(({ name }) => [
        name,
        () => {
          running.add(name)
          return { stop: async () => void stopped.push(name) }
        },
      ]),
    ) as unknown as Parameters<typeof startLoops>[1]
    const loops = startLoops(role, starters)
    const expected = LOOPS.filter(({ runsIn }) => groups.includes(runsIn)).map(({ name }) => name)
    assert.deepEqual([...running].toSorted(), expected.toSorted())
    await loops.stopWork(0)
    const working = LOOPS.filter(({ runsIn }) => runsIn === 'working processes')
    assert.equal(stopped.length, role === 'serving' ? 0 : working.length)
    await loops.stop()
    assert.deepEqual(stopped.toSorted(), expected.toSorted())
    assert.deepEqual(stopped.slice(-2), ['presence', 'store-guard'])
  })
}
