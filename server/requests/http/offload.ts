import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError, type Violation } from '../../platform/errors.ts'
import { type ErrorCode } from '../../platform/error-codes.ts'
import { ByteCache } from '../../platform/kit/byte-cache.ts'
import { TurnsFull } from '../../platform/kit/key-turns.ts'
import { JobTooCostly, newWorkerPool } from '../../platform/kit/worker-pool.ts'
import type { WorkerPoolLimits, WorkerPool } from '../../platform/kit/worker-pool.ts'

/**
 * A pure function that may run in another thread; its input and output are plain data.
 * `server/task-thread.ts` lists all tasks.
 */
export interface Task<Input, Output> {
  /** Unique among all tasks. */
  name: string
  /** Runs the task. Errors: ApiError. */
  run(input: Input): Output
}

/** The message to a thread. */
export interface TaskCall<Input> {
  name: string
  input: Input
}

/** The message from a thread. */
type TaskReply<Output> =
  | { ok: true; output: Output }
  | { ok: false; apiError: PlainApiError }
  | { ok: false; apiError?: undefined; error: string }

/** An error as plain data. */
interface PlainApiError {
  code: ErrorCode
  message: string
  violations: readonly Violation[]
}

/** A text that a task reads. */
export interface TaskText {
  document: string
  mediaType: string
}

/** A text that answers a request, with the headers that belong to it. */
export interface TextOutput {
  text: string
  mediaType: string
  headers: Record<string, string>
}

/** Runs tasks: small ones at once, all others in threads that are limited in time and memory. */
export interface Offload {
  /**
   * Runs a task on behalf of an organization. `texts` are the documents that it reads. Errors: those of the task,
   * document_too_costly, overloaded.
   */
  run<Input, Output>(
    organizationId: string,
    task: Task<Input, Output>,
    input: Input,
    texts: readonly TaskText[],
  ): Promise<Output>
  /** Runs a task, or returns what it returned before for the same document and the same `options`. */
  runOnce<Input>(
    organizationId: string,
    task: Task<Input, TextOutput>,
    input: Input,
    text: TaskText,
    options: string,
  ): Promise<TextOutput>
  /** Returns how many threads there are. */
  countThreads(): number
  /** Returns how many tasks wait for a thread. */
  countWaiting(): number
  close(): Promise<void>
}

const MEBIBYTE = 1024 * 1024
const CACHE_BYTES_MAX = 32 * MEBIBYTE
const RETRY_SECONDS = 2

/** The limits of one task, and of waiting tasks. */
export const TASK_LIMITS: WorkerPoolLimits = {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  cpuMs: 5000,
  wallMs: 60_000,
  heapMb: 304,
  heapHardMb: 384,
  idleMs: 30_000,
  jobsPerKeyMax: 200,
  bytesPerKeyMax: 48 * MEBIBYTE,
  bytesMax: 128 * MEBIBYTE,
}

// Parsing this much JSON takes a few milliseconds; YAML takes about ten times as long.
const CHEAP_CHARS_MAX = 12 * 1024
const YAML_WEIGHT = 5
const EXPANDING_CHARS_MAX = 512

// A small text can expand to thousands of fields by referring to the same definition: `$ref`, named types of
// Avro and Protobuf, aliases of YAML. An escape may hide any of them.
const EXPANDING = /\$\w*ref|avro|protobuf|\\[ux]|\*\w/i

/** Returns whether documents are small together, and none can expand. */
export function areCheap(texts: readonly TaskText[]): boolean {
  const weight = texts.reduce((sum, { document, mediaType }) => {
    return sum + document.length * (mediaType === 'application/yaml' ? YAML_WEIGHT : 1)
  }, 0)
  if (weight > CHEAP_CHARS_MAX) return false
  return texts.every(
    ({ document }) => document.length <= EXPANDING_CHARS_MAX || !EXPANDING.test(document),
  )
}

/** Creates the thread pool of a process; a thread starts when it is first needed. */
export function newOffload(script: URL, limits: WorkerPoolLimits = TASK_LIMITS): Offload {
  const pool = newWorkerPool(script, limits)
  const cache = new ByteCache<TextOutput>(CACHE_BYTES_MAX)
  const running = new Map<string, Promise<TextOutput>>()
  const run: Offload['run'] = async (organizationId, task, input, texts) => {
    if (areCheap(texts)) return task.run(input)
    const bytes = texts.reduce((sum, { document }) => sum + document.length, 0)
    return await runInThread(pool, organizationId, task, input, { bytes, limits })
  }
  return {
    run,
    async runOnce(organizationId, task, input, text, options) {
      const digest = hash('sha256', text.document)
      const key = JSON.stringify([organizationId, task.name, digest, text.mediaType, options])
      const known = cache.get(key) ?? running.get(key)
      if (known !== undefined) return await known
      const output = run(organizationId, task, input, [text])
      running.set(key, output)
      try {
        cache.set(key, await output, getBytes(await output))
      } finally {
        running.delete(key)
      }
      return await output
    },
    countThreads: () => pool.countThreads(),
    countWaiting: () => pool.countWaiting(),
    close: () => pool.close(),
  }
}

async function runInThread<Input, Output>(
  pool: WorkerPool,
  organizationId: string,
  { name }: Task<Input, Output>,
  input: Input,
  { bytes, limits }: { bytes: number; limits: WorkerPoolLimits },
): Promise<Output> {
  const call: TaskCall<Input> = { name, input }
  let reply: TaskReply<Output>
  try {
    // Copying texts to a thread and back takes a turn of the event loop of its own.
    await nextTurn()
    reply = await pool.run<TaskReply<Output>>(organizationId, call, bytes)
    await nextTurn()
  } catch (error) {
    if (error instanceof JobTooCostly) throw tooCostly(error, limits)
    throw busyOr(error)
  }
  if (reply.ok) return reply.output
  if (reply.apiError === undefined) throw new Error(`the task ${name} failed: ${reply.error}`)
  const { code, message, violations } = reply.apiError
  throw new ApiError(code, message, { violations })
}

/** Runs a task in a thread, and returns its result or error as plain data. */
export function runTask<Input, Output>(task: Task<Input, Output>, input: Input): TaskReply<Output> {
  try {
    return { ok: true, output: task.run(input) }
  } catch (error) {
    if (error instanceof ApiError) {
      const { code, message, violations } = error
      return { ok: false, apiError: { code, message, violations } }
    }
    return { ok: false, error: error instanceof Error ? (error.stack ?? error.message) : 'unknown' }
  }
}

function getBytes({ text, headers }: TextOutput): number {
  // A text with a character beyond Latin-1 takes two bytes for each.
  return 2 * (text.length + JSON.stringify(headers).length)
}

function busyOr(error: unknown): unknown {
  if (!(error instanceof TurnsFull)) return error
  return new ApiError(
    'overloaded',
    'Too many large documents of this organization are being read. Try again shortly.',
    { retryAfterSeconds: RETRY_SECONDS },
  )
}

function tooCostly({ limit }: JobTooCostly, { cpuMs, heapMb }: WorkerPoolLimits): ApiError {
  const most =
    limit === 'time' ? `${cpuMs / 1000} seconds of processor time` : `${heapMb} MB of memory`
  return new ApiError(
    'document_too_costly',
    `Reading this document needs more than ${most}. Split it into smaller documents, reduce references and nesting, or send YAML as JSON, which is read many times faster.`,
  )
}
