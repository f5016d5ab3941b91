/**
 * The process of the load generator: a client that keeps its connections alive and sends the next
 * request on each when the last response is complete. It parses as little as possible, in order to measure
 * only the server. It exits on any status other than 200 and 201.
 */

import { randomInt, randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { changeMark, CONTRACTS_COUNT, contractText, MEGABYTE_MODELS_COUNT } from './contracts.ts'
import {
  createDefinition,
  DEFINITIONS_COUNT,
  documentTemplate,
  PRODUCTS_COUNT,
} from './documents.ts'
import { createEventText } from './lineage-event.ts'
import type { LoadOrder, LoadResult } from './load.ts'

const HOST = '127.0.0.1'
const HEAD_END = Buffer.from('\r\n\r\n')
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i

const templates = Array.from({ length: PRODUCTS_COUNT }, (_, at) => documentTemplate(at))
let changeCount = 0

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  )
})
// The parent process is gone.
process.on('disconnect', () => process.exit(1))

async function run(order: LoadOrder): Promise<LoadResult> {
  const next = createRequests(order)
  const connections = Array.from({ length: order.connections }, () => new Connection(order.port))
  try {
    await Promise.all(connections.map((connection) => connection.opened))
    const startedAtMs = performance.now()
    const endsAtMs = startedAtMs + order.milliseconds
    const latencies: number[] = []
    let sentCount = 0
    let turn = 0
    // A paced request counts from the instant at which it is due, also if it was sent late because all connections were
    // waiting. Otherwise a server that stops for a moment would delay only the requests that it is answering.
    const waitForTurn = async (perSecond: number): Promise<number> => {
      const dueAtMs = startedAtMs + (turn++ * 1000) / perSecond
      const dueInMs = Math.ceil(dueAtMs - performance.now())
      if (dueAtMs < endsAtMs && dueInMs > 0) await sleep(dueInMs)
      return dueAtMs
    }
    const work = async (connection: Connection): Promise<void> => {
      for (;;) {
        const { perSecond } = order
        const beganAtMs = perSecond === undefined ? performance.now() : await waitForTurn(perSecond)
        if (beganAtMs >= endsAtMs) return
        const request = next()
        if (request === undefined) return
        sentCount += 1
        await connection.exchange(request)
        const answeredAtMs = performance.now()
        if (perSecond !== undefined || answeredAtMs < endsAtMs) {
          latencies.push(answeredAtMs - beganAtMs)
        }
      }
    }
    await Promise.all(connections.map(work))
    const elapsedMs = performance.now() - startedAtMs
    const seconds =
      (order.perSecond === undefined ? Math.min(elapsedMs, order.milliseconds) : elapsedMs) / 1000
    latencies.sort((a, b) => a - b)
    return {
      sentCount,
      perSecond: latencies.length / seconds,
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
      p95Ms: latencies[Math.floor(latencies.length * 0.95)] ?? Number.NaN,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    }
  } finally {
    for (const connection of connections) connection.close()
  }
}

const ROOMS: Partial<Record<LoadOrder['kind'], string>> = {
  'put-contract': 'datacontracts',
  'put-definition': 'definitions',
  'put-each-definition': 'definitions',
}

/** Returns a function that returns the next request; undefined = no more requests. */
function createRequests({ kind, key }: LoadOrder): () => Buffer | undefined {
  const room = ROOMS[kind] ?? 'dataproducts'
  const head = (method: string, id: string): string =>
    `${method} /api/${room}/${id} HTTP/1.1\r\nhost: ${HOST}\r\nx-api-key: ${key}\r\naccept: application/json\r\n`
  const put = (id: string, text: string): Buffer =>
    Buffer.from(
      `${head('PUT', id)}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
  if (kind === 'post-lineage') {
    const runId = randomUUID()
    const text = createEventText(runId)
    const template = Buffer.from(
      `POST /api/v1/lineage HTTP/1.1\r\nhost: ${HOST}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`,
    )
    const runIdAt = template.indexOf(runId)
    // Copied, because this process shares the processors with the server that it measures.
    return () => {
      const request = Buffer.from(template)
      request.write(randomUUID(), runIdAt, 'latin1')
      return request
    }
  }
  if (kind === 'put-changed') {
    return () => {
      const { id, text } = pickRandom(templates)
      return put(id, text((changeCount += 1)))
    }
  }
  if (kind === 'put-contract') {
    return () => {
      changeCount += 1
      const id = `contract-${changeCount % CONTRACTS_COUNT}`
      return put(id, getContractText(id, changeCount))
    }
  }
  if (kind === 'put-definition') {
    return () => {
      const { id, text } = createDefinition(randomInt(DEFINITIONS_COUNT), (changeCount += 1))
      return put(id, text)
    }
  }
  if (kind === 'put-each-definition') {
    let next = 0
    return () => {
      if (next === DEFINITIONS_COUNT) return undefined
      const { id, text } = createDefinition(next++, 0)
      return put(id, text)
    }
  }
  const ready = templates.map(({ id, text }) =>
    kind === 'get' ? Buffer.from(`${head('GET', id)}\r\n`) : put(id, text(0)),
  )
  if (kind !== 'put-each') return () => pickRandom(ready)
  let at = 0
  return () => ready[at++]
}

// Cached, because this process would need longer to create a contract than the server to store it.
const contractParts = new Map<string, string[]>()
const NO_CHANGE = changeMark(0)

function getContractText(id: string, change: number): string {
  const parts = contractParts.get(id) ?? contractText(id, MEGABYTE_MODELS_COUNT, 0).split(NO_CHANGE)
  contractParts.set(id, parts)
  return parts.join(changeMark(change))
}

function pickRandom<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}

class Connection {
  readonly opened: Promise<void>
  readonly #socket: Socket
  #head: Buffer = Buffer.alloc(0)
  #missingBytes = 0
  #done: (() => void) | undefined
  #fail: ((error: Error) => void) | undefined

  constructor(port: number) {
    this.#socket = connect(port, HOST)
    this.#socket.setNoDelay(true)
    this.opened = new Promise((done, fail) => {
      this.#done = done
      this.#fail = fail
    })
    this.#socket.once('connect', () => this.#done?.())
    this.#socket.on('error', (error) => this.#fail?.(error))
    this.#socket.on('close', () => this.#fail?.(new Error('the server closed a connection')))
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }

  exchange(request: Buffer): Promise<void> {
    return new Promise((done, fail) => {
      this.#done = done
      this.#fail = fail
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    if (this.#missingBytes > 0) this.#missingBytes -= chunk.length
    else if (!this.#readHead(chunk)) return
    if (this.#missingBytes === 0) this.#done?.()
  }

  #readHead(chunk: Buffer): boolean {
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk])
    const end = bytes.indexOf(HEAD_END)
    if (end === -1) {
      this.#head = bytes
      return false
    }
    this.#head = Buffer.alloc(0)
    const head = bytes.toString('latin1', 0, end)
    const length = CONTENT_LENGTH.exec(head)?.[1]
    if (!/^HTTP\/1\.1 20[01] /.test(head) || length === undefined) {
      this.#fail?.(
        new Error(
          `Expected status 200 or 201 with a length: ${bytes.toString('utf8').slice(0, 1000)}`,
        ),
      )
      return false
    }
    this.#missingBytes = Number(length) - (bytes.length - end - HEAD_END.length)
    return true
  }
}
