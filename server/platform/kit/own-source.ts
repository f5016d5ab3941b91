import { isDeepStrictEqual } from 'node:util'
import { newDialer, type Dialer, type Redirect } from './dialer.ts'

/**
 * A database on the catalog's own database server that may be read as a source. The dialer rejects that
 * server for every other configuration, which keeps the catalog's own tables private.
 */
export interface OwnSource {
  /** The connector: `postgres`. */
  source: string
  /** The exact values that a configuration must have to reach it. */
  connection: { host: string; port: number; database: readonly string[]; user: string }
  /** The address to which its host and port are redirected. */
  target: Redirect['target']
}

/** The dialers of a process for sources. */
export interface SourceDialers {
  dialer: Dialer
  /** Undefined = no database on the catalog's own server is a source. */
  ownSource?: OwnSource | undefined
}

/**
 * Returns the dialer for a configuration: that of the process, with a redirect if the configuration matches the
 * own source exactly.
 */
export function selectDialer(
  { dialer, ownSource }: SourceDialers,
  source: string,
  { host, port, database, user }: Readonly<Record<string, unknown>>,
): Dialer {
  if (ownSource === undefined || source !== ownSource.source) return dialer
  const { connection, target } = ownSource
  if (!isDeepStrictEqual({ host, port, database, user }, connection)) return dialer
  const redirect = { host: connection.host, port: connection.port, target }
  return newDialer({ ...dialer.rules, redirect })
}
