import { useCallback, useEffect, useMemo, useState } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { sendText } from '../api/document.ts'
import { toProblem, type Problem } from '../api/problem.ts'
import { toApiPath, type DocumentKind } from './document-kind.ts'
import type { Plan } from './plan-view.tsx'

const PAUSE_MS = 700

/** A document to save and the version that it replaces. */
interface Writing {
  kind: Pick<DocumentKind, 'api'>
  /** Undefined = the text names none yet. */
  id: string | undefined
  text: string
  mediaType: MediaType
  /** The tag of the version that was read; null = the document is new. */
  etag: string | null
}

/** The server's answer about a save; plan and problem are undefined before the answer. */
interface PlanAnswer {
  plan: Plan | undefined
  problem: Problem | undefined
}

/** The server's plan of a save. */
interface Planned extends PlanAnswer {
  /** Asks again: after a sign-in, or when the server is back. */
  retry: () => void
}

const NO_ANSWER: PlanAnswer = { plan: undefined, problem: undefined }

/** Asks the server what a save would do whenever typing pauses, if `isWanted`. */
export function usePlan(writing: Writing, isWanted: boolean): Planned {
  const { kind, id, text, mediaType, etag } = writing
  const [answer, setAnswer] = useState<PlanAnswer & { question: object }>()
  const [attempt, setAttempt] = useState(0)
  // An answer counts only for the question that it belongs to.
  const question = useMemo(
    () => ({ kind, id, text, mediaType, etag, attempt }),
    [kind, id, text, mediaType, etag, attempt],
  )
  useEffect(() => {
    if (!isWanted || question.id === undefined) return undefined
    const abort = new AbortController()
    const { signal } = abort
    const timer = setTimeout(() => {
      askPlan(question, signal).then(
        (plan) => setAnswer({ question, plan, problem: undefined }),
        (error: unknown) => {
          if (!signal.aborted) setAnswer({ question, plan: undefined, problem: toProblem(error) })
        },
      )
    }, PAUSE_MS)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [question, isWanted])
  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  const solved = answer?.problem?.solved
  useEffect(() => {
    solved?.addEventListener('abort', retry)
    return () => solved?.removeEventListener('abort', retry)
  }, [solved, retry])
  const { plan, problem } = isWanted && answer?.question === question ? answer : NO_ANSWER
  return useMemo(() => ({ plan, problem, retry }), [plan, problem, retry])
}

/** Returns what a save would do; nothing is written. Errors: Problem. */
async function askPlan(writing: Writing, signal?: AbortSignal): Promise<Plan> {
  const path = `${toApiPath(writing.kind, writing.id ?? '')}?dryRun=true`
  const answer = await sendText('PUT', path, { ...getChange(writing), signal })
  const plan: Plan = JSON.parse(answer.text)
  return plan
}

/** Saves a document unless it was changed in the meantime. Errors: Problem, with 412 in that case. */
export async function save(writing: Writing): Promise<void> {
  await sendText('PUT', toApiPath(writing.kind, writing.id ?? ''), getChange(writing))
}

function getChange({ text, mediaType, etag }: Writing) {
  return etag === null
    ? ({ text, mediaType, ifNoneMatch: '*' } as const)
    : { text, mediaType, ifMatch: etag }
}

// These errors pass: no session, or a server that is unavailable or busy.
const PASSING = [0, 401, 429, 503]

/** Gives a notice the button that asks again, where that can help. */
export function createRetry({ status }: Problem, retry: () => void): { onRetry?: () => void } {
  return PASSING.includes(status) ? { onRetry: retry } : {}
}
