import { fsyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

// The thread of the embedded store: PGlite on a directory, served on a unix socket.

let syncCount = 0

// As shipped, PGlite's file system has no fsync, so a commit is only as durable as the machine's
// memory. With this every commit is one real fsync of the write-ahead log.
class DurableFileSystem extends NodeFS {
  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters)
    const withSync: NonNullable<typeof emscriptenOpts.preRun> = [
      ...(emscriptenOpts.preRun ?? []),
      (module: { FS: { filesystems: { NODEFS: { stream_ops: object } } } }) => {
        Object.assign(module.FS.filesystems.NODEFS.stream_ops, {
          fsync: (stream: { nfd: number }): number => {
            syncCount += 1
            fsyncSync(stream.nfd)
            return 0
          },
        })
      },
    ]
    return { emscriptenOpts: { ...emscriptenOpts, preRun: withSync } }
  }
}

const { directory, socketPath }: { directory: string; socketPath: string } = workerData

const database = await PGlite.create({
  fs: new DurableFileSystem(directory),
  // -F is "never sync"; the default method fdatasync has no counterpart in the file system above.
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    '-c',
    'wal_sync_method=fsync',
  ],
})

// PostgreSQL ends itself when it panics, because its memory can no longer be trusted; the one here
// would go on with it. So the thread ends, and the next start recovers from the write-ahead log.
const PANIC = 'SPANIC\0VPANIC\0'
const execute = database.execProtocolRawStream.bind(database)
database.execProtocolRawStream = async (message, options) => {
  let panicked = false
  const onRawData = (data: Uint8Array): void => {
    panicked ||= Buffer.from(data.buffer, data.byteOffset, data.byteLength).includes(PANIC)
    options?.onRawData(data)
  }
  try {
    await execute(message, { ...options, onRawData })
  } catch (error) {
    return await endThread(error)
  }
  if (panicked) await endThread(new Error('the embedded store panicked'))
}

// The answer that tells of it is on its way; nothing that waits behind it may run any more.
function endThread(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error
  })
  return new Promise(() => undefined)
}

const server = new PGLiteSocketServer({ db: database, path: socketPath, maxConnections: 8 })
await server.start()

async function close(): Promise<void> {
  await server.stop()
  await database.close()
  parentPort?.postMessage({ to: 'close' })
}

parentPort?.on('message', (question: string) => {
  if (question === 'sync-count') parentPort?.postMessage({ to: question, value: syncCount })
  if (question === 'close') void close()
})
parentPort?.postMessage({ to: 'ready' })
