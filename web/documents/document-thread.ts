import type { MediaType } from '../../formats/text.ts'
import type { CheckRequest, CheckResult } from './document-check.ts'
import type { Asked } from './document-worker.ts'
import type { EditedText, TextEdit } from './text-edit.ts'

type Result = CheckResult | EditedText
type Answer = { number: number; result: Result }
type Waiting = { resolve: (result: Result) => void; reject: (error: Error) => void }

let worker: Worker | undefined
let lastNumber = 0
const waiting = new Map<number, Waiting>()

/** Lets what checks texts come before there is a text. */
export function prepareToCheck(): void {
  worker ??= started()
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

async function ask(asked: Asked): Promise<Result> {
  worker ??= started()
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  waiting.set(asked.number, { resolve, reject })
  worker.postMessage(asked)
  return await promise
}

function started(): Worker {
  const made = new Worker(new URL('./document-worker.ts', import.meta.url), { type: 'module' })
  made.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.number)?.resolve(data.result)
    waiting.delete(data.number)
  })
  made.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The check failed to start.'))
    waiting.clear()
    worker = undefined
  })
  return made
}
