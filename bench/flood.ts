import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** The kinds of requests that flood. */
export const FLOOD_NAMES = [
  'searches',
  'lists',
  'feeds',
  'activity',
  'reads',
  'writes',
  'uploads',
  'events',
  'spans',
] as const

/** A kind of requests that flood. */
export type FloodName = (typeof FLOOD_NAMES)[number]

/** A flood of requests, each of which follows the answer to the last one of its connection. */
export interface FloodOrder {
  name: FloodName
  port: number
  key: string
  parallel: number
}

/** A flood under way. */
export interface Flood {
  /** Returns the number of answers so far, without refusals. */
  count(): Promise<number>
  /** Stops it and waits for its last answers. */
  stop(): Promise<void>
}

/** Starts a flood in a separate process. */
export function startFlood(order: FloodOrder): Flood {
  const child = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)))
  const ended = once(child, 'exit')
  child.send(order)
  const receive = async (): Promise<unknown> => {
    const [message]: unknown[] = await Promise.race([once(child, 'message'), ended])
    if (message === 'stopped' || typeof message === 'number') return message
    throw new Error('the flood ended: the server closed a connection')
  }
  return {
    async count() {
      const message = receive()
      child.send('count')
      return Number(await message)
    },
    async stop() {
      const message = receive()
      child.send('stop')
      await message
      child.kill()
      await ended
    },
  }
}
