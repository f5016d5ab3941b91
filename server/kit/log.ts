import pino from 'pino'

/** Writes JSON lines to standard error; one object of facts and one sentence each. */
export type Log = pino.Logger

/** The levels that can be set, the quietest last. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

const BUFFER_BYTES = 8 * 1024
const FLUSH_MS = 200

/** Opens the log of a process. Lines are written in groups, at most 200 ms late. */
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
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  )
  return {
    log,
    flush: () => {
      try {
        destination.flushSync()
      } catch {
        // A log that cannot be written must not keep the process from ending.
      }
    },
  }
}

// Only the message, stack and code of an error are logged: database errors carry whole rows.
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...(code === undefined ? {} : { code }) }
}

let lastMs = 0
let lastText = ''

// Lines of the same millisecond share their timestamp, because formatting it is a large part of a short line.
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastText = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return lastText
}
