import pino from 'pino'
import { openLogDestination } from './log-destination.ts'

/** A logger of JSON lines to standard error, each with an object of fields and a sentence. */
export type Log = pino.Logger

/** The log levels, from most to least verbose. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** The log of a process. */
export interface OpenLog {
  log: Log
  /** Writes the last lines before an unexpected end: one attempt, which never waits. */
  flush(): void
  /** Waits until the last lines are written or dropped, at most for a second. */
  close(): Promise<void>
  /** The number of lines that could not be written so far. */
  countDropped(): number
}

const STANDARD_ERROR = 2

/**
 * Opens the log of a process. Lines are buffered for at most 200 ms; those that cannot be written are dropped.
 * `getFields` returns fields that are added to a line when it is logged.
 */
export function openLog(
  level: (typeof LOG_LEVELS)[number],
  getFields?: () => Record<string, string>,
): OpenLog {
  const destination = openLogDestination(STANDARD_ERROR, (lines) => {
    log.warn({ lines }, 'lines of the log were lost, because it could not be written')
  })
  const log: Log = pino(
    {
      level,
      base: null,
      timestamp: newIsoTime(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
      ...(getFields === undefined ? {} : { mixin: getFields }),
    },
    destination,
  )
  process.on('exit', () => destination.flushSync())
  return {
    log,
    flush: () => destination.flushSync(),
    close: () => destination.close(),
    countDropped: () => destination.countDropped(),
  }
}

// Drops all other properties: database errors contain whole rows.
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code === undefined ? {} : { code }) }
}

// Caches the text of a millisecond: formatting a date is a large part of the cost of a short line.
function newIsoTime(): () => string {
  let lastMs = 0
  let lastText = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      lastText = `,"time":"${new Date(nowMs).toISOString()}"`
    }
    return lastText
  }
}
