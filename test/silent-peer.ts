/** Clients that misbehave on the TCP level: they stop sending, do not read, and never close. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Options of a silent peer. */
export interface SilentPeerOptions {
  port: number
  /** The address to connect from; Linux accepts any of 127.0.0.0/8. */
  from?: string
}

/**
 * Connects, sends a text, and then neither sends, reads nor closes. The socket does not notice when the
 * server closes the connection.
 */
export async function openSilentPeer(
  { port, from }: SilentPeerOptions,
  text: string | Buffer,
): Promise<Socket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    ...(from === undefined ? {} : { localAddress: from }),
  })
  socket.pause()
  socket.on('error', () => undefined)
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  if (text.length > 0 && socket.writable) socket.write(text)
  return socket
}

/** Destroys the sockets and waits until they are closed. */
export async function closePeers(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      if (socket.closed) return
      const closed = once(socket, 'close')
      socket.destroy()
      await closed
    }),
  )
}
