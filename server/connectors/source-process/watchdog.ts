import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'

/** The limits of a reader, above which it is killed. */
export interface ReaderLimits {
  /** The maximum time without a message: its event loop is blocked. */
  silentMsMax: number
  /** The maximum time to start. */
  startMsMax: number
  /** The maximum resident memory. */
  memoryBytesMax: number
}

/** The default limits. */
export const READER_LIMITS: ReaderLimits = {
  silentMsMax: 15_000,
  startMsMax: 30_000,
  memoryBytesMax: 512 * 1024 * 1024,
}

/** The exceeded limit of a killed reader. */
export type Excess = 'memory' | 'silence' | 'start'

const PERIOD_MS = 250

/** Watches a process until it is stopped; `kill` is called at most once. */
export interface Watchdog {
  /** Records a sign of life. */
  heard(): void
  stop(): void
}

/** Starts watching a process. */
export function startWatchdog(
  pid: number,
  limits: ReaderLimits,
  kill: (excess: Excess) => void,
): Watchdog {
  let hasStarted = false
  let heardAtMs = performance.now()
  let lookedAtMs = heardAtMs
  let isMeasuring = false
  const stop = (): void => clearInterval(timer)
  const end = (excess: Excess): void => {
    stop()
    kill(excess)
  }
  const measure = async (): Promise<void> => {
    isMeasuring = true
    const bytes = await residentBytes(pid)
    isMeasuring = false
    if (bytes !== undefined && bytes > limits.memoryBytesMax) end('memory')
  }
  const look = (): void => {
    const nowMs = performance.now()
    // If this process was blocked itself, messages may still be unread.
    if (nowMs - lookedAtMs > PERIOD_MS * 8) heardAtMs = nowMs
    lookedAtMs = nowMs
    const silentMs = nowMs - heardAtMs
    if (!hasStarted && silentMs > limits.startMsMax) end('start')
    else if (hasStarted && silentMs > limits.silentMsMax) end('silence')
    else if (!isMeasuring) void measure()
  }
  const timer = setInterval(look, PERIOD_MS)
  timer.unref()
  return {
    heard() {
      heardAtMs = performance.now()
      hasStarted = true
    },
    stop,
  }
}

/** Returns the resident memory of a process; undefined = it cannot be measured, or has ended. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const kilobytes = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid)
  return kilobytes === undefined ? undefined : kilobytes * 1024
}

async function fromProc(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  return kilobytes === undefined ? undefined : Number(kilobytes)
}

async function fromPs(pid: number): Promise<number | undefined> {
  if (process.platform === 'win32') return undefined
  const output = await new Promise<string>((done) => {
    execFile('/bin/ps', ['-o', 'rss=', '-p', String(pid)], (_error, stdout) => done(stdout))
  })
  const kilobytes = Number.parseInt(output, 10)
  return Number.isNaN(kilobytes) ? undefined : kilobytes
}
