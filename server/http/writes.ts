import { ApiError } from '../errors.ts'
import type { Services } from './endpoint.ts'
import { newStoreProblem } from './store-problem.ts'

// Decides whether this process may write, and handles a database that was changed in the meantime.

const SCHEMA_RETRY_SECONDS = 30

/** Rejects a request that writes while the store accepts no writes. Errors: schema_newer, schema_older, store_full. */
export function requireWritable(services: Services): void {
  requireSameSchema(services)
  if (!services.isDiskFull()) return
  throw newStoreProblem('store_full')
}

/** Rejects a request that needs the schema of this program. Errors: schema_newer, schema_older. */
export function requireSameSchema({ guard }: Services, cause?: unknown): void {
  const schema = guard.schema()
  if (schema === 'same') return
  const retryAfterSeconds = SCHEMA_RETRY_SECONDS
  if (schema === 'newer') {
    throw new ApiError(
      'schema_newer',
      "This process is older than the store's schema and accepts no writes. Start the new version.",
      { retryAfterSeconds, cause },
    )
  }
  throw new ApiError(
    'schema_older',
    'The store was restored with an older schema. Restart this process, which migrates it.',
    { retryAfterSeconds, cause },
  )
}

/**
 * Calls `answer`, and once more if it failed because the PostgreSQL server was restarted or replaced. Errors:
 * those of `answer`, and schema_newer or schema_older instead of a statement that another schema rejects.
 */
export async function answerOnStore<Answer>(
  services: Services,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (await services.guard.recover(error)) return await answer()
    requireSameSchema(services, error)
    throw error
  }
}
