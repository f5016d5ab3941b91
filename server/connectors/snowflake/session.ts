import type { Batch, KnownVersions, Scope, Setup, SourceSession } from '../connector.ts'
import { readScopesConcurrently } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { readGrants } from './account-grants.ts'
import { readFromAccountUsage } from './account-usage.ts'
import { snowflakeConfiguration } from './configuration.ts'
import { newFactReader } from './facts.ts'
import { listScopes } from './listing.ts'
import { proveTables } from './proving.ts'
import { readScope } from './reading.ts'
import { openSnowflakeClient, type SnowflakeClient } from './statement-client.ts'

/** The number of schemas that are read at the same time; the smallest warehouse runs eight statements. */
const SCOPES_AT_ONCE = 4

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = snowflakeConfiguration.parse(setup.configuration)
  const client = await openSnowflakeClient(configuration, setup, wait)
  return {
    scopes: () => listScopes(client),
    read: (scopes, known = new Map()) => readDatabase(client, scopes, known),
    prove: async (tables) => await proveTables(client, tables),
    grants: (scopes) => readGrants(client, scopes),
    close: async () => await client.close(),
  }
}

// The scopes of one reading are in the same database.
function readDatabase(
  client: SnowflakeClient,
  scopes: readonly Scope[],
  known: KnownVersions,
): AsyncIterable<Batch> {
  const facts = newFactReader(client, scopes[0]?.path[0] ?? '')
  const reading = { client, facts, known }
  if (client.configuration.readsFrom === 'account_usage') {
    return readFromAccountUsage(reading, scopes)
  }
  return readScopesConcurrently(scopes, SCOPES_AT_ONCE, (scope) => readScope(reading, scope))
}
