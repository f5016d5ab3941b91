/**
 * A TCP proxy to a source that a test can hold: while held, data of the source is delayed, as on a network
 * that stalls, and nothing is lost.
 */

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy through which all bytes of a source pass. */
export interface SourceGate {
  port: number
  /** Holds all data of the source from now on. */
  hold(): void
  /** Forwards the held data, and all data after it. */
  release(): void
  /** Returns the number of open connections. */
  openCount(): number
  close(): Promise<void>
}

/** Opens a gate to a source on this machine. */
export async function openSourceGate(host: string, port: number): Promise<SourceGate> {
  const pairs = new Set<{ client: Socket; source: Socket }>()
  let isHeld = false
  const server = createServer((client) => {
    const source = connect(port, host)
    const pair = { client, source }
    pairs.add(pair)
    const end = (): void => {
      client.destroy()
      source.destroy()
      pairs.delete(pair)
    }
    for (const side of [client, source]) side.on('error', end).on('close', end)
    client.pipe(source)
    source.pipe(client)
    if (isHeld) source.unpipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      isHeld = true
      for (const { client, source } of pairs) source.unpipe(client)
    },
    release() {
      isHeld = false
      for (const { client, source } of pairs) source.pipe(client)
    },
    openCount: () => pairs.size,
    async close() {
      for (const { client, source } of pairs) {
        client.destroy()
        source.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
