import { SourceFailure } from '../connector.ts'
import { ConnectionPool } from '../sql/connection-pool.ts'
import type { TdsSetup } from './configuration.ts'
import { connect, type TdsConnection } from './connection.ts'
import { openEntraTokens } from './entra.ts'
import { toFirstFailure } from './failure.ts'
import type { MssqlFlavour } from './flavour.ts'

/** The number of unused connections that stay open. */
const IDLE_MAX = 2

/** The connections of one session. */
export interface TdsConnections {
  flavour: MssqlFlavour
  pool: ConnectionPool<TdsConnection>
  close(): Promise<void>
}

/** Opens the first connection, and the tokens that it needs. Errors: SourceFailure. */
export async function openConnections(connecting: TdsSetup): Promise<TdsConnections> {
  const { entra, host } = connecting.configuration
  const tokens =
    entra === undefined ? undefined : await openEntraTokens(entra, host, connecting.setup)
  try {
    const access = { connecting, tokens }
    const first = await connect(access)
    const { flavour } = first
    // Such a server cannot change the database of a connection.
    const getNeeded = (database: string | undefined) =>
      flavour.isOneDatabase ? database : undefined
    const rules = {
      connect: async (database: string | undefined) => await connect(access, getNeeded(database)),
      canRead: (connection: TdsConnection, database: string | undefined) =>
        connection.database === (getNeeded(database) ?? connection.database),
      idleMax: IDLE_MAX,
    }
    const pool = new ConnectionPool(rules, first)
    const close = async (): Promise<void> => {
      await pool.close()
      tokens?.close()
    }
    return { flavour, pool, close }
  } catch (error) {
    tokens?.close()
    throw error instanceof SourceFailure ? toFirstFailure(error) : error
  }
}
