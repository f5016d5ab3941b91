import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClusterPaths } from './cluster.ts'

/** The address of a server. */
export interface PostgresEndpoint {
  /** The folder of the Unix socket, or the loopback address. */
  host: string
  port: number
  /** Whether it is a TCP port. */
  isOnNetwork: boolean
  /** Removes the temporary files of the endpoint. */
  remove(): void
}

const SOCKET_PORT = 5432
// An address of a Unix socket has 104 bytes on macOS and 108 on Linux, its terminator included.
const SOCKET_FOLDER_BYTES_MAX = 80
const LOOPBACK = '127.0.0.1'

/** Returns the endpoint of the Unix socket, by a path that is short enough for a socket address. */
export function socketEndpoint({ socket }: ClusterPaths): PostgresEndpoint {
  const endpoint = { host: socket, port: SOCKET_PORT, isOnNetwork: false, remove: () => undefined }
  if (Buffer.byteLength(socket) <= SOCKET_FOLDER_BYTES_MAX) return endpoint
  const directory = mkdtempSync(join(tmpdir(), 'portbook-'))
  const host = join(directory, 'socket')
  symlinkSync(socket, host)
  return { ...endpoint, host, remove: () => rmSync(directory, { recursive: true, force: true }) }
}

/** Returns the endpoint on the loopback address, for systems without Unix sockets. Its port is chosen once. */
export async function loopbackEndpoint({ port: path }: ClusterPaths): Promise<PostgresEndpoint> {
  let port: number
  try {
    port = Number(readFileSync(path, 'utf8'))
  } catch {
    port = await findFreePort()
    writeFileSync(path, String(port))
  }
  return { host: LOOPBACK, port, isOnNetwork: true, remove: () => undefined }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, LOOPBACK)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
