import type { MediaType } from '../../formats/text/text.ts'
import type { CheckRequest, CheckResult } from './document-check.ts'
import type { Asked } from './document-worker.ts'
import type { EditedText, TextEdit } from '../../formats/text/edit/text-edit.ts'

type Result = CheckResult | EditedText
type Answer = { number: number; result: Result } | { number: number; error: string }
type Waiting = { resolve: (result: Result) => void; reject: (error: Error) => void }

let worker: Worker | undefined
let lastNumber = 0
const waiting = new Map<number, Waiting>()

/** Loads what checks a kind of document before there is a text. */
export function prepareToCheck(reader: CheckRequest['reader']): void {
  worker ??= started()
  post(worker, { kind: 'prepare', reader })
}

/** Checks a text beside the page. Rejects when the browser lets no worker run. */
export async function checkBeside(request: CheckRequest): Promise<CheckResult> {
  const result = await ask({ number: next(), kind: 'check', request })
  if ('problems' in result) return result
  throw new Error('The check did not respond.')
}

/** Edits a text beside the page. Rejects when the browser lets no worker run. */
export async function editBeside(
  text: string,
  mediaType: MediaType,
  edits: readonly TextEdit[],
): Promise<EditedText> {
  const result = await ask({ number: next(), kind: 'edit', text, mediaType, edits })
  if ('ok' in result) return result
  throw new Error('The edit did not respond.')
}

function next(): number {
  lastNumber += 1
  return lastNumber
}

async function ask(asked: Exclude<Asked, { kind: 'prepare' }>): Promise<Result> {
  worker ??= started()
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  waiting.set(asked.number, { resolve, reject })
  post(worker, asked)
  return await promise
}

function post(to: Worker, asked: Asked): void {
  to.postMessage(asked)
}

function started(): Worker {
  const made = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    if ('error' in data) {
      fail()
      return
    }
    waiting.get(data.number)?.resolve(data.result)
    waiting.delete(data.number)
  })
  made.addEventListener('error', fail)
  return made
}

// A part of the code that could not be loaded may be found by another worker.
function fail(): void {
  for (const { reject } of waiting.values()) reject(new Error('The check failed to start.'))
  waiting.clear()
  worker?.terminate()
  worker = undefined
}
