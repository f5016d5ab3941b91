import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type pg from 'pg'
import { lockDirectory } from './process-lock.ts'

/** A PostgreSQL that lives in one directory, runs in its own thread and answers on a unix socket. */
export interface EmbeddedStore {
  connection: pg.ClientConfig
  /** How often the store asked the operating system to write through to the disk. */
  syncCount(): Promise<number>
  /** Ends the store cleanly: a checkpoint, then the thread, then the lock. */
  close(): Promise<void>
}

const SOCKET_PORT = 5432
// The operating system's limit for a unix socket's path is 108 bytes, its terminator included.
const SOCKET_PATH_BYTES_MAX = 100
// A store that is in trouble may never come to its checkpoint; its log has all that was committed.
const CLOSE_MS_MAX = 5000

/**
 * Opens (or makes) the embedded store of a data directory. When its thread ends unasked, `onDeath`
 * is called: nothing can be answered any more. Errors: DirectoryInUse.
 */
export async function openEmbeddedStore(
  dataDirectory: string,
  onDeath: (error: Error) => void,
): Promise<EmbeddedStore> {
  const directory = resolve(dataDirectory)
  const lock = lockDirectory(directory)
  const socketDirectory = socketDirectoryOf(directory)
  const socketPath = join(socketDirectory, `.s.PGSQL.${SOCKET_PORT}`)
  rmSync(socketPath, { force: true })
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { directory: join(directory, 'postgres'), socketPath },
  })
  let closing = false
  const died = new Promise<never>((_, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the embedded store's thread ended (${code})`)))
  })
  try {
    await Promise.race([answer(worker, 'ready'), died])
  } catch (error) {
    lock.release()
    throw error
  }
  died.catch((error: Error) => {
    if (!closing) onDeath(error)
  })
  return {
    connection: {
      host: socketDirectory,
      port: SOCKET_PORT,
      user: 'postgres',
      database: 'postgres',
    },
    syncCount: async () => Number(await ask(worker, 'sync-count')),
    close: async () => {
      closing = true
      const late = new AbortController()
      await Promise.race([
        ask(worker, 'close'),
        died.catch(() => undefined),
        sleep(CLOSE_MS_MAX, undefined, { signal: late.signal }),
      ])
      late.abort()
      await worker.terminate()
      rmSync(socketPath, { force: true })
      lock.release()
    },
  }
}

function socketDirectoryOf(directory: string): string {
  if (Buffer.byteLength(directory) <= SOCKET_PATH_BYTES_MAX - 16) return directory
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const short = join(tmpdir(), `portbook-${name}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  chmodSync(short, 0o700)
  return short
}

function ask(worker: Worker, question: 'sync-count' | 'close'): Promise<unknown> {
  const answered = answer(worker, question)
  worker.postMessage(question)
  return answered
}

function answer(worker: Worker, to: string): Promise<unknown> {
  return new Promise((done) => {
    const listen = (message: { to: string; value?: unknown }): void => {
      if (message.to !== to) return
      worker.off('message', listen)
      done(message.value)
    }
    worker.on('message', listen)
  })
}
