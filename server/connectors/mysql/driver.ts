import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Connection as Driver } from 'mysql2'
import { isAddress, tlsOptions, type MysqlSetup } from './configuration.ts'
import { PacketGuard } from './packet-guard.ts'

const CONNECT_TIMEOUT_MS = 10_000
const KEEP_ALIVE_AFTER_MS = 10_000

/**
 * Starts the driver on a socket of the dialer; every packet is checked before the driver parses it.
 * Errors: those of TLS options.
 */
export async function newDriver(connecting: MysqlSetup, socket: Socket): Promise<Driver> {
  const { setup, configuration } = connecting
  const { host, port, user } = configuration
  const ssl = tlsOptions(connecting)
  const { createConnection } = await import('mysql2')
  const dial = (): Socket => {
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_AFTER_MS).connect(port, host)
    // The certificate of an address is compared with the name that the socket was opened for.
    return isAddress(configuration) ? Object.assign(socket, { _host: host }) : socket
  }
  const driver = createConnection({
    host,
    port,
    user,
    password: setup.secrets['password'] ?? '',
    stream: dial,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: 'UTF8MB4_BIN',
    // A server must not be able to request a local file.
    flags: ['-LOCAL_FILES'],
    connectAttributes: { program_name: 'portbook' },
    ...(ssl === undefined ? {} : { ssl }),
  })
  guardPackets(driver, new PacketGuard(connecting.address))
  return driver
}

/**
 * Checks every packet before the driver's parser receives it, on a plain connection and with TLS,
 * which the driver starts in the middle of the log-in: both pass their bytes to its parser. Errors:
 * Error if the driver has none.
 */
function guardPackets(driver: Driver, guard: PacketGuard): void {
  const parser: unknown = Reflect.get(driver, 'packetParser')
  if (typeof parser !== 'object' || parser === null || !('execute' in parser)) {
    throw new Error('cannot guard the parser of the MySQL driver')
  }
  let isBroken = false
  const guarded = {
    execute(chunk: Buffer): void {
      if (isBroken) return
      try {
        guard.inspect(chunk)
      } catch (error) {
        isBroken = true
        const stream: unknown = Reflect.get(driver, 'stream')
        if (stream instanceof Duplex && error instanceof Error) stream.destroy(error)
        return
      }
      // The parser replaces this function while it parses.
      if (typeof parser.execute === 'function') parser.execute(chunk)
    },
  }
  Reflect.set(driver, 'packetParser', guarded)
}
