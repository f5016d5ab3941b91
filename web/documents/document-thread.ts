import type { MediaType } from '../../formats/text/text.ts'
import type { CheckRequest, CheckResult } from './document-check.ts'
import type { FoundPlace, WorkerRequest } from './document-worker.ts'
import type { SoughtPlace, SourcePlace } from './source-places.ts'
import type { EditedText, TextEdit } from '../../formats/text/edit/text-edit.ts'

type Result = CheckResult | EditedText | FoundPlace
type Response = { number: number; result: Result } | { number: number; error: string }
type Pending = { resolve: (result: Result) => void; reject: (error: Error) => void }

let worker: Worker | undefined
let lastNumber = 0
const pending = new Map<number, Pending>()

/** Loads the code that checks a kind of document before there is a text. */
export function prepareToCheck(reader: CheckRequest['reader']): void {
  post({ kind: 'prepare', reader })
}

/** Checks a text in the worker. Rejects if the browser allows no worker. */
export async function checkBeside(request: CheckRequest): Promise<CheckResult> {
  const result = await send({ number: nextNumber(), kind: 'check', request })
  if ('problems' in result) return result
  throw new Error('The check did not respond.')
}

/** Edits a text in the worker. Rejects if the browser allows no worker. */
export async function editBeside(
  text: string,
  mediaType: MediaType,
  edits: readonly TextEdit[],
): Promise<EditedText> {
  const result = await send({ number: nextNumber(), kind: 'edit', text, mediaType, edits })
  if ('ok' in result) return result
  throw new Error('The edit did not respond.')
}

/** Finds a place in a text in the worker; undefined if the text has errors. */
export async function locateBeside(
  text: string,
  mediaType: MediaType,
  sought: SoughtPlace,
): Promise<SourcePlace | undefined> {
  const result = await send({ number: nextNumber(), kind: 'place', text, mediaType, sought })
  return 'place' in result ? result.place : undefined
}

function nextNumber(): number {
  lastNumber += 1
  return lastNumber
}

async function send(request: Exclude<WorkerRequest, { kind: 'prepare' }>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  pending.set(request.number, { resolve, reject })
  post(request)
  return await promise
}

function post(request: WorkerRequest): void {
  worker ??= startWorker()
  worker.postMessage(request)
}

function startWorker(): Worker {
  const next = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module' })
  next.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if ('error' in data) {
      fail()
      return
    }
    pending.get(data.number)?.resolve(data.result)
    pending.delete(data.number)
  })
  next.addEventListener('error', fail)
  return next
}

// A new worker may find a part of the code that could not be loaded.
function fail(): void {
  for (const { reject } of pending.values()) reject(new Error('The check failed to start.'))
  pending.clear()
  worker?.terminate()
  worker = undefined
}
