/**
 * The process of a flood: a client that keeps 100 connections busy with the requests of one kind and discards the
 * answers. It parses only their first bytes, because it shares the processors with the server that it measures.
 */

import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setPriority } from 'node:os'
import { contractText } from './contracts.ts'
import { documentTemplate, PRODUCTS_COUNT } from './documents.ts'
import type { FloodName, FloodOrder } from './flood.ts'
import { createEventText } from './lineage-event.ts'
import { createTraces } from './usage-spans.ts'

const HOST = '127.0.0.1'
const LARGE_MODELS_COUNT = 100
const LARGE_COUNT = 20
const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** The text of a request, whose credentials and length are added. */
type Create = (count: number) => { method: string; path: string; body?: string }

const largeTexts = Array.from({ length: 2 }, (_, change) =>
  Array.from({ length: LARGE_COUNT }, (_element, at) =>
    contractText(`large-${at}`, LARGE_MODELS_COUNT, change),
  ),
)

/** The kinds of requests that flood, each with a function that creates the next one. */
const FLOODS: Readonly<Record<FloodName, Create>> = {
  searches: (count) => ({ method: 'GET', path: `/api/search?query=shipment+${count % 50}` }),
  lists: (count) => ({ method: 'GET', path: `/api/dataproducts?p=${count % 2}` }),
  feeds: () => ({ method: 'GET', path: '/api/events?include=document' }),
  activity: () => ({ method: 'GET', path: '/api/activity' }),
  reads: (count) => ({ method: 'GET', path: `/api/dataproducts/${toTemplate(count).id}` }),
  writes: (count) => {
    const { id, text } = toTemplate(count)
    return { method: 'PUT', path: `/api/dataproducts/${id}`, body: text(count) }
  },
  uploads: (count) => {
    const at = count % LARGE_COUNT
    const body = largeTexts[Math.floor(count / LARGE_COUNT) % 2]?.[at] ?? ''
    return { method: 'PUT', path: `/api/datacontracts/large-${at}`, body }
  },
  events: () => ({ method: 'POST', path: '/api/v1/lineage', body: createEventText(randomUUID()) }),
  spans: (count) => {
    const prefix = String(count % 100_000_000).padStart(8, '0')
    return { method: 'POST', path: '/api/v1/traces', body: createTraces(Date.now(), prefix) }
  },
}

// The GETs that are measured, and the server, precede this process.
setPriority(5)

let count = 0
let answersCount = 0
let stopping = new AbortController()

process.on('message', (order: FloodOrder | 'count' | 'stop') => {
  if (order === 'count') process.send?.(answersCount)
  else if (order === 'stop') stopping.abort()
  else {
    stopping = new AbortController()
    const workers = Array.from({ length: order.parallel }, () => work(order))
    void Promise.all(workers).then(() => process.send?.('stopped'))
  }
})
// The parent process is gone.
process.on('disconnect', () => process.exit(1))

async function work(order: FloodOrder): Promise<void> {
  const create = FLOODS[order.name]
  const connection = new Connection(order.port)
  while (!stopping.signal.aborted) {
    const { method, path, body = '' } = create((count += 1))
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${HOST}\r\nx-api-key: ${order.key}\r\n`
    const described = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    const status = await connection.exchange(
      `${head}${method === 'GET' ? '' : described}\r\n${method === 'GET' ? '' : body}`,
    )
    // A flood may be refused; refusals are not work.
    if (status < 400) answersCount += 1
  }
  connection.close()
}

class Connection {
  readonly #port: number
  #socket: Socket | undefined
  #head: Buffer = Buffer.alloc(0)
  #status = 0
  /** The missing bytes of the body; undefined = it ends with the last chunk. */
  #missingBytes: number | undefined
  #tail: Buffer = Buffer.alloc(0)
  #done: ((status: number) => void) | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends a request and returns the status of its answer; 500 if the server closes the connection before. */
  exchange(request: string): Promise<number> {
    this.#status = 0
    this.#head = Buffer.alloc(0)
    return new Promise((done) => {
      this.#done = done
      this.#socket ??= this.#open()
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #open(): Socket {
    const socket = connect(this.#port, HOST)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('error', () => undefined)
    // The server closes the connections of uploads over its budget.
    socket.on('close', () => {
      this.#socket = undefined
      this.#done?.(500)
    })
    return socket
  }

  #read(chunk: Buffer): void {
    const rest = this.#status === 0 ? this.#readHead(chunk) : chunk
    if (rest === undefined) return
    if (this.#missingBytes === undefined) {
      this.#tail = Buffer.concat([this.#tail, rest.subarray(-LAST_CHUNK.length)])
      this.#tail = this.#tail.subarray(-LAST_CHUNK.length)
      if (this.#tail.equals(LAST_CHUNK)) this.#done?.(this.#status)
    } else {
      this.#missingBytes -= rest.length
      if (this.#missingBytes === 0) this.#done?.(this.#status)
    }
  }

  /** Returns the bytes after the head; undefined if it is not complete. */
  #readHead(chunk: Buffer): Buffer | undefined {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = bytes.indexOf(HEAD_END)
    this.#head = end === -1 ? bytes : Buffer.alloc(0)
    if (end === -1) return undefined
    const head = bytes.toString('latin1', 0, end)
    this.#status = Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3))
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    this.#missingBytes = length === undefined ? undefined : Number(length)
    this.#tail = Buffer.alloc(0)
    return bytes.subarray(end + HEAD_END.length)
  }
}

function toTemplate(at: number): ReturnType<typeof documentTemplate> {
  return documentTemplate(at % PRODUCTS_COUNT)
}
