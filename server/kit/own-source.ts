import { isDeepStrictEqual } from 'node:util'
import { newDialer, type Dialer, type Redirect } from './dialer.ts'

/**
 * A database on the server of the catalog's own store that may be read as a source. The dialer rejects that
 * server for every other configuration, so that the catalog's tables stay private.
 */
export interface OwnSource {
  /** The connector: `postgres`. */
  source: string
  /** The exact configuration that reaches it. */
  connection: { host: string; port: number; database: readonly string[]; user: string }
  /** The address of its host and port. */
  target: Redirect['target']
}

/** The connections of a process to sources. */
export interface SourceDialers {
  dialer: Dialer
  /** Undefined if none of the store's databases is a source. */
  ownSource?: OwnSource | undefined
}

/**
 * Returns the dialer for a configuration: that of the process, which also reaches the own source for exactly
 * its configuration.
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
