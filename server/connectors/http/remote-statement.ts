import { SourceFailure } from '../connector.ts'
import type { JsonClient } from './json-client.ts'
import { CANCEL_MS_MAX, type SessionClient } from './session-client.ts'

/** A statement that a service runs, and whose state is polled. */
interface RemoteStatement<Answer, Handle, Result> {
  /** The subject of an error: `the columns of SALES.PUBLIC`. */
  what: string
  /** The service's word for a statement; `statement` by default. */
  noun?: string
  /** Starts the statement and returns at once: only with its handle can it be cancelled. */
  start(starter: JsonClient): Promise<{ answer: Answer; handle: Handle }>
  /** Returns the result of a statement that has ended; undefined while it is running. */
  getResult(answer: Answer): Result | null | undefined
  /**
   * Asks for the state. A returned failure has ended the statement; a thrown one has not, so that the statement is
   * cancelled.
   */
  poll(client: JsonClient, handle: Handle): Promise<Answer | SourceFailure>
  cancel(client: JsonClient, handle: Handle): Promise<unknown>
  /** The time between two polls, which doubles up to `max`, and the one after which a statement is given up. */
  pollMs: { first: number; max: number; total?: number }
}

/** Runs a statement to its end, and cancels it if the session ends. Errors: SourceFailure. */
export async function runRemoteStatement<Answer, Handle, Result>(
  session: SessionClient,
  statement: RemoteStatement<Answer, Handle, Result>,
): Promise<{ result: Result; handle: Handle }> {
  const { what, pollMs } = statement
  const isOver = session.begin()
  let running: { handle: Handle } | undefined
  try {
    let { answer, handle } = await statement.start(session.starter)
    running = { handle }
    let [waitMs, waitedMs] = [pollMs.first, 0]
    for (;;) {
      const result = statement.getResult(answer)
      if (result != null) {
        running = undefined
        return { result, handle }
      }
      if (waitedMs >= (pollMs.total ?? Infinity)) {
        throw new SourceFailure('protocol', `Reading ${what} does not end`)
      }
      await session.wait(waitMs, session.signal)
      waitedMs += waitMs
      waitMs = Math.min(waitMs * 2, pollMs.max)
      const polled = await statement.poll(session.client, handle)
      if (polled instanceof SourceFailure) {
        running = undefined
        throw polled
      }
      answer = polled
    }
  } finally {
    if (running !== undefined) await cancel(session, statement, running.handle)
    isOver()
  }
}

// The run has ended, so its own signal may have aborted. A failure changes nothing: statements time out.
async function cancel<Answer, Handle, Result>(
  session: SessionClient,
  statement: RemoteStatement<Answer, Handle, Result>,
  handle: Handle,
): Promise<void> {
  try {
    await statement.cancel(session.newClient(AbortSignal.timeout(CANCEL_MS_MAX)), handle)
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const { noun = 'statement' } = statement
    session.setup.log('warn', `A ${noun} could not be cancelled: ${error.message}`)
  }
}
