import type { Setup, SourceSession } from '../connector.ts'
import { readScopesConcurrently } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { databricksConfiguration } from './configuration.ts'
import { listScopes } from './listing.ts'
import { proveTables } from './proving.ts'
import { readScope } from './reading.ts'
import { openWorkspace } from './workspace.ts'

/** The number of schemas that are read at the same time. */
const SCOPES_AT_ONCE = 8

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = databricksConfiguration.parse(setup.configuration)
  const workspace = await openWorkspace(configuration, setup, wait)
  return {
    scopes: () => listScopes(workspace),
    read: (scopes, known = new Map()) =>
      readScopesConcurrently(scopes, SCOPES_AT_ONCE, (scope) =>
        readScope({ workspace, known }, scope),
      ),
    prove: async (tables) => await proveTables(workspace, tables),
    close: async () => await workspace.close(),
  }
}
