import { Client, type ClientConfig } from 'pg'

/** A database of a running server, or that of the local server in a data directory. */
export type DatabasePlace = { databaseUrl: string } | { dataDirectory: string }

/** A database that clients can connect to until it is closed. */
export interface OpenPlace {
  connection: ClientConfig
  close(): Promise<void>
}

/** Opens a database. In a data directory, it uses the running server or starts one. */
export async function openPlace(place: DatabasePlace): Promise<OpenPlace> {
  if ('databaseUrl' in place) {
    return { connection: { connectionString: place.databaseUrl }, close: () => Promise.resolve() }
  }
  // Loaded only here, so that other cold starts are not slower.
  const { pino } = await import('pino')
  const { openLocalServer } = await import('../server/platform/postgres/local-server.ts')
  return await openLocalServer({
    dataDirectory: place.dataDirectory,
    programs: { configured: undefined, searchPath: process.env.PATH ?? '' },
    purpose: 'command',
    connectionsMax: 10,
    log: pino({ level: 'silent' }),
  })
}

/** Runs one statement in a database. */
export async function runStatement(place: DatabasePlace, statement: string): Promise<void> {
  const { connection, close } = await openPlace(place)
  const client = new Client(connection)
  await client.connect()
  await client.query(statement)
  await client.end()
  await close()
}
