import { randomBytes } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Log } from '../kit/log.ts'

/** The disk space below a data directory. */
export interface DiskSpace {
  /** Returns whether too little space is left for further writes. */
  isLow(): boolean
  /**
   * If little space is left, deletes the reserve file, because PostgreSQL cannot recover from a crash without free
   * space. Returns whether a reserve was deleted.
   */
  releaseReserve(): boolean
  stop(): void
}

const MEGABYTE = 1024 * 1024
// The write-ahead log grows by files of 16 MB, and PostgreSQL crashes when it cannot create one.
const LOW_BYTES = 64 * MEGABYTE
const ENOUGH_BYTES = 96 * MEGABYTE
const RESERVE_BYTES = 48 * MEGABYTE
const PERIOD_MS = 1000

/**
 * Watches the disk space of a directory. With `keepsReserve`, it reserves 48 MB in a file while enough space is
 * free.
 */
export function watchDiskSpace(
  { root, reserve }: { root: string; reserve: string },
  keepsReserve: boolean,
  log: Log,
): DiskSpace {
  let isLow = false
  let writing: Promise<void> | undefined
  const check = (): void => {
    const freeBytes = measureFreeBytes(root)
    const wasLow = isLow
    isLow = freeBytes < (wasLow ? ENOUGH_BYTES : LOW_BYTES)
    if (isLow && !wasLow) log.error({ freeBytes }, 'disk almost full: writes are rejected')
    if (!isLow && wasLow) log.info({ freeBytes }, 'disk space available: writes are accepted')
    const isPlenty = freeBytes > ENOUGH_BYTES + 2 * RESERVE_BYTES
    if (!keepsReserve || !isPlenty || existsSync(reserve)) return
    writing ??= writeReserve(reserve)
      .catch((error: unknown) => log.warn({ err: error }, 'no disk space could be set aside'))
      .finally(() => {
        writing = undefined
      })
  }
  const timer = setInterval(check, PERIOD_MS)
  timer.unref()
  return {
    isLow: () => isLow,
    releaseReserve() {
      check()
      if (!isLow || !existsSync(reserve)) return false
      rmSync(reserve, { force: true })
      return true
    },
    stop: () => clearInterval(timer),
  }
}

function measureFreeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

// Random bytes, because some file systems store nothing for a file of zeros.
async function writeReserve(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      for (let written = 0; written < RESERVE_BYTES; written += MEGABYTE) {
        await file.write(randomBytes(MEGABYTE))
      }
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
