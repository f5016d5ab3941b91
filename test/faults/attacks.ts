/** Attacks on connections, for tests and measurements. */

import { connect, type Socket } from 'node:net'
import { openSilentPeer } from '../silent-peer.ts'

/** A number of clients that do the same. */
export interface Attack {
  count: number
  /** The number of clients in short runs. */
  shortCount: number
  /** The number of network addresses that the clients connect from. */
  addressCount: number
  /** Returns what each client sends before it goes silent. `key` is the secret of an API key. */
  text(key: string): Buffer
}

const SIGN_IN =
  'POST /ui/sign-in HTTP/1.1\r\nhost: portbook\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'
const HEADERS = 'GET /api/teams HTTP/1.1\r\nhost: portbook\r\nx-slow: '
const CONTRACT_BYTES = 5 * 1024 * 1024
const OPENED_AT_ONCE = 100

/** Attacks by their names. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'silent sign-ins without credentials': {
    count: 1010,
    shortCount: 1010,
    addressCount: 1,
    text: () => Buffer.from(SIGN_IN),
  },
  'silent clients with unfinished headers': {
    count: 2000,
    shortCount: 600,
    addressCount: 4,
    text: () => Buffer.from(HEADERS),
  },
  'silent sign-ins from many addresses': {
    count: 10_000,
    shortCount: 1500,
    addressCount: 100,
    text: () => Buffer.from(SIGN_IN),
  },
  'unfinished bodies of 5 MiB with one key': {
    count: 300,
    shortCount: 300,
    addressCount: 1,
    text: (key) => {
      const head = `PUT /api/datacontracts/unfinished HTTP/1.1\r\nhost: portbook\r\nx-api-key: ${key}\r\ncontent-type: application/yaml\r\ncontent-length: ${CONTRACT_BYTES}\r\n\r\n`
      return Buffer.concat([Buffer.from(head), Buffer.alloc(CONTRACT_BYTES - 1, 'x')])
    },
  },
}

/**
 * Opens silent peers from 127.0.1.1 on, evenly distributed over all addresses; outside of Linux from
 * one.
 */
export async function openPeers(
  port: number,
  count: number,
  text: Buffer,
  addressCount: number,
): Promise<Socket[]> {
  const peers: Socket[] = []
  const addressAt = (at: number): string =>
    process.platform === 'linux' ? `127.0.1.${1 + (at % addressCount)}` : '127.0.0.1'
  while (peers.length < count) {
    const batch = Array.from({ length: Math.min(OPENED_AT_ONCE, count - peers.length) }, (_, at) =>
      openSilentPeer({ port, from: addressAt(peers.length + at) }, text),
    )
    peers.push(...(await Promise.all(batch)))
  }
  return peers
}

/** A connection that sends slowly, and reads. */
export interface Dripping {
  /** Resolves to the received bytes when the server has closed the connection. */
  cut: Promise<string>
}

const DRIP_MS = 300

/** Opens connections that send endless headers, one byte at a time. */
export async function startDripping(port: number, count: number): Promise<Dripping[]> {
  return await Promise.all(Array.from({ length: count }, () => startOne(port)))
}

async function startOne(port: number): Promise<Dripping> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  // Bytes in transit while the server closes cause a reset.
  socket.on('error', () => undefined)
  const cut = new Promise<string>((done) => {
    socket.once('close', () => {
      clearInterval(timer)
      done(received)
    })
  })
  const timer = setInterval(() => socket.writable && socket.write('x'), DRIP_MS)
  await new Promise<void>((done) => socket.once('connect', done).once('close', done))
  socket.write(HEADERS)
  return { cut }
}
