import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The program that reads a source. */
export const READER = fileURLToPath(new URL('./reader.ts', import.meta.url))

/**
 * The heap limit of a reader, below the limit of its total memory, so that V8 usually ends it
 * cleanly.
 */
const HEAP_MEGABYTES_MAX = 320

/**
 * The size of a half of the heap's youngest part. V8 would let it grow with the number of assets, to
 * 16 MB.
 */
const YOUNG_MEGABYTES_MAX = 2

/**
 * Starts the reader and, next to it, a subshell that waits on descriptor 3, a pipe from this
 * process: if the pipe closes without data, this process has ended, and the subshell kills the
 * reader, even if its event loop is blocked. If the kernel runs out of memory, it must kill the
 * reader and not the server. The reader writes no core dump, which would contain credentials.
 */
const SCRIPT = `
ulimit -c 0
echo 1000 > /proc/self/oom_score_adj
( trap '' INT TERM HUP; exec 0<&- 1>&- 4>&-; read -r word <&3 || kill -KILL $$ ) &
exec 3<&-
exec "$@"`

/** A process that reads a source, with its pipes. */
export interface LaunchedReader {
  child: ChildProcess
  requests: Writable
  replies: Readable
  /** Its standard error. */
  errors: Readable
  /** Notifies the subshell that the reader has ended. */
  release(): void
}

/** Starts a reader. Errors: those of the operating system, also as the child's `error` event. */
export function launchReader(
  program: string,
  environment: Readonly<Record<string, string>>,
): LaunchedReader {
  const command = [
    process.execPath,
    `--max-old-space-size=${HEAP_MEGABYTES_MAX}`,
    `--max-semi-space-size=${YOUNG_MEGABYTES_MAX}`,
    program,
  ]
  const isWindows = process.platform === 'win32'
  const [file = '', ...parameters] = isWindows
    ? command
    : ['/bin/sh', '-c', SCRIPT, 'portbook-reader', ...command]
  const child = spawn(file, parameters, {
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const [requests, , errors, lifeline, replies] = child.stdio
  if (
    !isWritable(requests) ||
    !isReadable(errors) ||
    !isWritable(lifeline) ||
    !isReadable(replies)
  ) {
    throw new Error('a reader was started without its pipes')
  }
  for (const stream of [requests, errors, lifeline, replies]) stream.on('error', () => undefined)
  return { child, requests, replies, errors, release: () => lifeline.end('ended\n') }
}

function isWritable(stream: Readable | Writable | null | undefined): stream is Writable {
  return stream !== null && stream !== undefined && 'write' in stream
}

function isReadable(stream: Readable | Writable | null | undefined): stream is Readable {
  return stream !== null && stream !== undefined && 'read' in stream
}
