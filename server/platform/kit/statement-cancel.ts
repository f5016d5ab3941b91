import { sql, type QueryExecutorProvider } from 'kysely'

// A cancellation that arrives between two statements has no effect, so it is repeated until the work ends.
const REPEAT_MS = 250

/**
 * Runs the statements of a transaction, and cancels the running one when the signal is aborted, over a connection
 * of `cancelDb`. It settles only after the work and all cancellations have ended, because a pooler may assign the
 * session to another client immediately after the transaction.
 *
 * Errors: the signal's reason, and those of the work.
 */
export async function withStatementCancel<T>(
  transaction: QueryExecutorProvider,
  cancelDb: QueryExecutorProvider,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction)
  const pid = rows[0]?.pid
  let cancelling: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const cancel = (): void => {
    cancelling = cancelling.then(() => cancelStatement(cancelDb, pid))
  }
  const abort = (): void => {
    cancel()
    timer = setInterval(cancel, REPEAT_MS)
  }
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', abort)
    clearInterval(timer)
    await cancelling
    signal.throwIfAborted()
  }
}

// If the database does not respond, the next attempt may succeed, and the transaction has time limits.
async function cancelStatement(db: QueryExecutorProvider, pid: number | undefined): Promise<void> {
  await sql`select pg_cancel_backend(${pid ?? null}::integer)`.execute(db).catch(() => undefined)
}
