/** Readings of PostgreSQL that end early, or stop in the middle. */

import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import type { Batch, Scope, SourceSession } from '../server/connectors/connector.ts'
import { postgres } from '../server/connectors/postgres/connector.ts'
import { eventually } from './eventually.ts'
import type { SourceDatabase } from './postgres-source.ts'
import { catchFailure } from './source-reading.ts'

// More than the buffers between two processes hold, so that the server waits for the client to
// read. Few tables with long comments are created faster than many.
/** The number of tables of `LARGE_ESTATE`. */
export const LARGE_TABLES = 100
const COMMENT_CHARACTERS = 200_000
export const LARGE_ESTATE = `
do $$ begin for i in 1..${LARGE_TABLES} loop
  execute format('create table t%s (id int primary key)', i);
  execute format('comment on table t%s is %L', i, repeat('x', ${COMMENT_CHARACTERS}));
end loop; end $$`

/** Aborts a reading whose statement waits for a lock; the statement must not outlive it. */
export async function cancelWhileLocked(
  database: SourceDatabase,
  configuration: Record<string, unknown>,
): Promise<void> {
  const other = await database.connect()
  try {
    await other.query('begin; lock table t in access exclusive mode')
    await cancelWaiting(database, configuration)
  } finally {
    await other.end()
  }
}

async function cancelWaiting(
  database: SourceDatabase,
  configuration: Record<string, unknown>,
): Promise<void> {
  const controller = new AbortController()
  const setup = database.setup({ configuration, signal: controller.signal })
  const sockets: Socket[] = []
  const socket = (): Socket => {
    sockets.push(setup.dialer.socket())
    return sockets.at(-1) ?? assert.fail()
  }
  const session = await postgres.open({ ...setup, dialer: { ...setup.dialer, socket } })
  const scopes = await listHere(session, database.name)
  const failing = catchFailure(Array.fromAsync(session.read(scopes)))
  const countWaiting = async (): Promise<number> =>
    await database.countSessions(`wait_event_type = 'Lock'`)
  await eventually(5000, async () => (await countWaiting()) === 1, 'the statement waits')
  const openedCount = sockets.length
  controller.abort()
  await session.close()
  assert.ok(sockets.length > openedCount, 'the request to cancel has its own connection')
  // The process that reads the source ends when its session is closed.
  assert.ok(sockets.every(({ destroyed }) => destroyed))
  await eventually(5000, async () => (await countWaiting()) === 0, 'the statement ends')
  assert.equal((await failing).kind, 'cancelled')
}

/** Starts reading a database: its first batch has arrived, and the server waits with the rest. */
export async function startReading(
  session: SourceSession,
  database: string,
): Promise<{ reading: AsyncIterableIterator<Batch>; first: Batch }> {
  const scopes = await listHere(session, database)
  const iterator = session.read(scopes)[Symbol.asyncIterator]()
  const { value } = (await iterator.next()) as { value: Batch }
  const reading = {
    next: () => iterator.next(),
    return: () => iterator.return?.() ?? Promise.resolve({ done: true as const, value: undefined }),
    [Symbol.asyncIterator]: () => reading,
  }
  return { reading, first: value }
}

async function listHere(session: SourceSession, database: string): Promise<Scope[]> {
  const scopes = await Array.fromAsync(session.scopes())
  return scopes.filter(({ path, decision }) => path[0] === database && decision === 'included')
}
