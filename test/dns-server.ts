/** A name server on this machine that answers questions for TXT records over UDP (RFC 1035, 4). */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A running name server. */
export interface DnsServer {
  /** `127.0.0.1:port`, as resolvers take it. */
  address: string
  /** The texts by name, each in one or several parts. A name without texts does not exist. */
  records: Map<string, string[][]>
  /** The response code of all answers instead: 2 = SERVFAIL; `silent` = none comes; undefined = by the records. */
  fault: number | 'silent' | undefined
  /** The names that were asked for. */
  questions: string[]
  close(): Promise<void>
}

const NAME_ERROR = 3
const HEADER_BYTES = 12

/** Starts a name server on a free port. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    records: new Map(),
    fault: undefined,
    questions: [],
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (query, { port, address }) => {
    const { name, end } = readName(query)
    server.questions.push(name)
    if (server.fault === 'silent') return
    const texts = server.fault === undefined ? (server.records.get(name.toLowerCase()) ?? []) : []
    const code = server.fault ?? (texts.length === 0 ? NAME_ERROR : 0)
    const header = Buffer.alloc(HEADER_BYTES)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(texts.length, 6)
    const question = query.subarray(HEADER_BYTES, end + 4)
    socket.send(Buffer.concat([header, question, ...texts.map(writeText)]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), end: at + 1 }
}

function writeText(parts: readonly string[]): Buffer {
  const data = Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])),
  )
  // The name of the question, TXT, IN, one minute.
  const head = Buffer.from([0xc0, HEADER_BYTES, 0, 16, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
