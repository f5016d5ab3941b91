/**
 * A replacement of the program that reads sources: it behaves as if a source had taken it over. The host in
 * the first request's configuration selects the behaviour.
 */

import { Socket } from 'node:net'
import { encodeFrame, FrameReader } from '../server/connectors/source-process/frames.ts'

interface FirstRequest {
  id: number
  setup: { configuration: { host: string } }
}

const NOTES = { lines: [], statements: [] }
const MEGABYTE = 1024 * 1024

const replies = new Socket({ fd: 4, readable: false, writable: true })
const reader = new FrameReader()
process.stdin.on('data', (chunk: Buffer) => {
  const [request] = reader.push(chunk) as FirstRequest[]
  if (request !== undefined) DEEDS[request.setup.configuration.host]?.(request.id)
})
process.stdin.on('end', () => process.exit(0))
// Sends heartbeats.
const beating = setInterval(() => send({ type: 'beat', notes: NOTES }), 1000)

function send(message: unknown): void {
  replies.write(encodeFrame(message))
}

function reply(id: number, value: unknown): void {
  send({ type: 'value', id, value, notes: NOTES })
}

function nest(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

function raw(text: string): void {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(Buffer.byteLength(text))
  replies.write(Buffer.concat([head, Buffer.from(text)]))
}

const DEEDS: Readonly<Record<string, (id: number) => void>> = {
  environment: (id) => {
    const { argv, execArgv, env } = process
    reply(id, [{ state: 'ok', what: JSON.stringify({ argv, execArgv, env }) }])
  },
  garbage: () => replies.write(Buffer.alloc(1000, 'x')),
  'a frame of 2 GB': () => replies.write(Buffer.from([0x7f, 255, 255, 255, 1, 2, 3])),
  'a frame that is not JSON': () => raw('{'),
  'no known message': () => send({ type: 'order', text: 'stop' }),
  'a value of another shape': (id) => reply(id, [{ state: 'yes', what: 1 }]),
  'a value that is too long': (id) => reply(id, [{ state: 'ok', what: 'x'.repeat(10_000) }]),
  'too many values': (id) =>
    reply(
      id,
      Array.from({ length: 5000 }, () => ({ state: 'ok', what: 'x' })),
    ),
  'a deeply nested value': (id) => {
    raw(`{"type":"value","id":${id},"notes":{"lines":[],"statements":[]},"value":${nest(100_000)}}`)
  },
  'a reply to no call': (id) => reply(id + 7, []),
  'beats without end': () => {
    for (let count = 0; count < 1000; count += 1) send({ type: 'beat', notes: NOTES })
  },
  exit: () => process.exit(3),
  'killed from outside': () => process.kill(process.pid, 'SIGKILL'),
  aborted: () => process.abort(),
  'an uncaught error': () => {
    throw new Error('thrown in a data handler')
  },
  'a full heap': () => {
    const kept: string[] = []
    for (let count = 0; ; count += 1) kept.push(`${count}`.padStart(1000, 'x'))
  },
  'memory outside of the heap': () => {
    const kept: Buffer[] = []
    setInterval(() => kept.push(Buffer.alloc(16 * MEGABYTE, 1)), 1)
  },
  // Before its first message, a reader has more time, because it may still be starting.
  'a blocked loop': () => {
    clearInterval(beating)
    replies.write(encodeFrame({ type: 'beat', notes: NOTES }), () => {
      for (;;);
    })
  },
  silence: () => undefined,
}
