import pino from 'pino'

/** A logger of JSON lines to standard error, each with an object of fields and a sentence. */
export type Log = pino.Logger

/** The log levels, from most to least verbose. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

const BUFFER_BYTES = 8 * 1024
const FLUSH_MS = 200

/** Opens the log of a process. Lines are buffered for at most 200 ms. */
export function openLog(level: (typeof LOG_LEVELS)[number]): { log: Log; flush(): void } {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  })
  const log = pino(
    {
      level,
      base: null,
      timestamp: newIsoTime(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: serializeError },
    },
    destination,
  )
  return {
    log,
    flush: () => {
      try {
        destination.flushSync()
      } catch {
        // A log that cannot be written must not prevent the process from exiting.
      }
    },
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
