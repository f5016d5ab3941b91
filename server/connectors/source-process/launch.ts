import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The program that reads a source. */
export const READER = fileURLToPath(new URL('./reader.ts', import.meta.url))

/** The heap of a reader, below the limit of its whole memory, so that most often V8 ends it cleanly. */
const HEAP_MEGABYTES_MAX = 320

/**
 * Starts the reader and, beside it, a subshell that waits on descriptor 3, a pipe from this process:
 * if the pipe ends without a word, this process is gone, and the reader is killed, even if its event
 * loop is blocked. A reader that the kernel ends for lack of memory must be the reader and not the
 * server, and it writes no core dump, which would hold credentials.
 */
const SCRIPT = `
ulimit -c 0
echo 1000 > /proc/self/oom_score_adj
( trap '' INT TERM HUP; exec 0<&- 1>&- 4>&-; read -r word <&3 || kill -KILL $$ ) &
exec 3<&-
exec "$@"`

/** A process that reads a source, and its pipes. */
export interface LaunchedReader {
  child: ChildProcess
  requests: Writable
  replies: Readable
  /** What it writes to standard error. */
  errors: Readable
  /** Tells the subshell that the reader has ended. */
  release(): void
}

/** Starts a reader. Errors: the operating system's, also as the event `error` of the child. */
export function launchReader(
  program: string,
  environment: Readonly<Record<string, string>>,
): LaunchedReader {
  const command = [process.execPath, `--max-old-space-size=${HEAP_MEGABYTES_MAX}`, program]
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
