import { SourceFailure } from '../connector.ts'
import type { PostgresSetup } from './configuration.ts'
import { connect } from './connection.ts'
import type { Connection } from './connection.ts'
import { isOfDatabase } from './failure.ts'

/**
 * Connects to a database from which all others can be seen: one that the configuration names, or what
 * nearly every server has. Errors: SourceFailure.
 */
export async function connectHome(connecting: PostgresSetup): Promise<Connection> {
  const { database, user } = connecting.configuration
  const named = database.filter((glob) => !/[*?]/.test(glob))
  let refusal: SourceFailure | undefined
  for (const candidate of new Set([...named, 'postgres', user, 'template1'])) {
    try {
      return await connect(connecting, candidate)
    } catch (error) {
      if (!(error instanceof SourceFailure) || !isOfDatabase(error)) throw error
      // What the configuration names comes first, and is what people want to hear of.
      refusal ??= error
    }
  }
  throw refusal ?? new SourceFailure('protocol', 'There is no database to connect to.')
}
