/** Logs whose lines tests read. */

import { Writable } from 'node:stream'
import pino from 'pino'
import type { Log } from '../server/platform/kit/log.ts'

/** A line of a log; levels are those of pino: 30 = info, 40 = warn, 50 = error. */
export interface LogLine {
  level: number
  msg?: string
  code?: string
  setting?: string
  client?: string
  count?: number
}

/** Creates a log, and the list of its lines, which grows with it. */
export function readLogLines(level: 'debug' | 'info' = 'info'): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const memory = new Writable({
    write(chunk: Buffer, _, done) {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        lines.push(JSON.parse(line) as LogLine)
      }
      done()
    },
  })
  return { log: pino({ level }, memory), lines }
}
