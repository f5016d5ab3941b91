import { once } from 'node:events'
import type { Socket } from 'node:net'
import type * as tedious from 'tedious'
import { SourceFailure } from '../connector.ts'
import type { TdsSetup } from './configuration.ts'

/** The module of the driver. */
export type DriverModule = typeof tedious

const CONNECT_TIMEOUT_MS = 10_000
/** The time in which a server must confirm that it stopped a statement. */
export const CANCEL_TIMEOUT_MS = 2000
const PACKET_BYTES = 16_384
/** A gateway redirects to the node that holds the database, which may have moved. */
const DIALS_MAX = 4
/** The maximum number of bytes of one row, with what the driver reads ahead. */
const BYTES_BETWEEN_ROWS_MAX = 8_000_000

/**
 * Loads the driver, which is an optional dependency, on first use. Errors: SourceFailure protocol if it is
 * not installed.
 */
export async function loadDriver(
  load: () => Promise<DriverModule> = async () => await import('tedious'),
): Promise<DriverModule> {
  try {
    return await load()
  } catch (error) {
    const message =
      'The driver for SQL Server is not installed on this server. Install it next to Portbook with `npm install tedious@20` (with `--global` if Portbook is installed globally), or start Portbook with `npx --package=portbook --package=tedious@20 portbook`'
    throw new SourceFailure('protocol', message, { cause: error })
  }
}

/** A limit for what arrives without a complete row. */
export class ByteGuard {
  readonly #address: string
  #bytes = 0

  constructor(address: string) {
    this.#address = address
  }

  /** Counts the bytes of a row as complete. */
  reset(): void {
    this.#bytes = 0
  }

  /** Destroys the socket if too many bytes arrive. */
  watch(socket: Socket): void {
    socket.on('data', ({ length }) => {
      this.#bytes += length
      if (this.#bytes <= BYTES_BETWEEN_ROWS_MAX) return
      socket.destroy(
        new SourceFailure('too_large', `${this.#address} sent more than 8 MB in one row`),
      )
    })
  }
}

/** The parts of a connection that is being opened. */
interface DriverOptions {
  connecting: TdsSetup
  database: string | undefined
  /** The access token of an application; undefined with a user. */
  token: string | undefined
  guard: ByteGuard
  /** Ends the connecting. */
  signal: AbortSignal
}

/**
 * Creates the driver's connection, not yet connected. All its sockets are those of the dialer, also after the
 * server redirects it.
 */
export function newDriver(
  { Connection }: DriverModule,
  options: DriverOptions,
): tedious.Connection {
  const { connecting, database, token } = options
  const { configuration } = connecting
  const { encryption, ca, host, port } = configuration
  let dials = 0
  return new Connection({
    server: host,
    authentication: getAuthentication(connecting, token),
    options: {
      port,
      ...(database === undefined ? {} : { database }),
      appName: 'portbook',
      connector: async (target?: unknown) => {
        dials += 1
        if (dials <= DIALS_MAX) return await dial(options, target)
        throw new SourceFailure('protocol', `${connecting.address} redirects too often`)
      },
      connectTimeout: CONNECT_TIMEOUT_MS,
      cancelTimeout: CANCEL_TIMEOUT_MS,
      // The timeout of the statement is that of the connection.
      requestTimeout: 0,
      // The engine retries.
      maxRetriesOnTransientErrors: 0,
      encrypt: encryption !== 'off',
      trustServerCertificate: encryption !== 'verify',
      ...(ca === undefined ? {} : { cryptoCredentialsDetails: { ca } }),
      readOnlyIntent: configuration.readsReplica,
      packetSize: PACKET_BYTES,
      // The host name of this machine is not sent.
      workstationId: 'portbook',
    },
  })
}

function getAuthentication(
  { setup, configuration }: TdsSetup,
  token: string | undefined,
): NonNullable<tedious.ConnectionConfiguration['authentication']> {
  if (token !== undefined) {
    return { type: 'azure-active-directory-access-token', options: { token } }
  }
  const password = setup.secrets['password'] ?? ''
  return { type: 'default', options: { userName: configuration.user, password } }
}

/** Connects a socket of the dialer. The driver passes the address, which a redirect changes. */
async function dial(
  { connecting, guard, signal }: DriverOptions,
  target: unknown,
): Promise<Socket> {
  const { host, port } = readTarget(target) ?? connecting.configuration
  const socket = connecting.setup.dialer.socket()
  try {
    const connected = once(socket, 'connect', { signal })
    socket.connect(port, host)
    await connected
  } catch (error) {
    socket.destroy()
    throw error
  }
  guard.watch(socket)
  return socket
}

function readTarget(target: unknown): { host: string; port: number } | undefined {
  if (typeof target !== 'object' || target === null) return undefined
  if (!('host' in target) || !('port' in target)) return undefined
  const { host, port } = target
  return typeof host === 'string' && typeof port === 'number' ? { host, port } : undefined
}
