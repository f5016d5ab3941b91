import { useCallback, useEffect, useMemo, useState } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { sendText } from '../api/document.ts'
import { toProblem, type Problem } from '../api/problem.ts'
import { toApiPath, type DocumentKind } from './document-kind.ts'
import type { Plan } from './plan-view.tsx'

const PAUSE_MS = 700

/** A document to save and the version that it replaces. */
export interface Writing {
  kind: Pick<DocumentKind, 'api'>
  /** Undefined = the text names none yet. */
  id: string | undefined
  text: string
  mediaType: MediaType
  /** The tag of the version that was read; null = the document is new. */
  etag: string | null
}

/** The server's plan; plan and problem are undefined before the response. */
export interface Planned {
  plan: Plan | undefined
  problem: Problem | undefined
  /** Asks once more: after a sign-in, or when the server is back. */
  retry: () => void
}

// What the server was asked about.
type Of = Pick<Writing, 'etag' | 'id' | 'text'> & { attempt: number }

type Told = Pick<Planned, 'plan' | 'problem'>

const NOTHING: Told = { plan: undefined, problem: undefined }

/** Asks the server what a save would do, whenever typing pauses; `isWanted` = whether to ask at all. */
export function usePlan(writing: Writing, isWanted: boolean): Planned {
  const { kind, id, text, mediaType, etag } = writing
  const [planned, setPlanned] = useState<Told & { of: Of }>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!isWanted || id === undefined) return undefined
    const of = { etag, id, text, attempt }
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const { signal } = stop
      askPlan({ kind, id, text, mediaType, etag }, signal).then(
        (plan) => setPlanned({ of, plan, problem: undefined }),
        (error: unknown) => {
          if (!signal.aborted) setPlanned({ of, plan: undefined, problem: toProblem(error) })
        },
      )
    }, PAUSE_MS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [kind, id, text, mediaType, etag, isWanted, attempt])
  const solved = planned?.problem?.solved
  useEffect(() => {
    const again = (): void => setAttempt((before) => before + 1)
    solved?.addEventListener('abort', again)
    return () => solved?.removeEventListener('abort', again)
  }, [solved])
  const isOfThis =
    planned?.of.text === text &&
    planned.of.id === id &&
    planned.of.etag === etag &&
    planned.of.attempt === attempt &&
    isWanted
  const { plan, problem } = isOfThis ? planned : NOTHING
  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  return useMemo(() => ({ plan, problem, retry }), [plan, problem, retry])
}

/** Asks what a save would do; nothing is written. Errors: Problem. */
export async function askPlan(writing: Writing, signal?: AbortSignal): Promise<Plan> {
  const path = `${toApiPath(writing.kind, writing.id ?? '')}?dryRun=true`
  const answer = await sendText('PUT', path, { ...changeOf(writing), signal })
  const plan: Plan = JSON.parse(answer.text)
  return plan
}

/** Saves a document unless it was changed in the meantime. Errors: Problem, with 412 in that case. */
export async function save(writing: Writing): Promise<void> {
  await sendText('PUT', toApiPath(writing.kind, writing.id ?? ''), changeOf(writing))
}

function changeOf({ text, mediaType, etag }: Writing) {
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
