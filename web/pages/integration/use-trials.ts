import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { problemOf, type Problem } from '../../api/problem.ts'
import { bodyOf, stepsWithProblems } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

/** What a test found. */
export type Findings = Answer<'/ui/integrations/test', 'post'>

/** What the filters take in and leave out. */
export type Preview = Answer<'/ui/integrations/scopes', 'post'>

/** One thing that is tried with the draft. */
export interface Trial<Result> {
  /** Of the last time; undefined = not tried yet. */
  result: Result | undefined
  /** The draft was changed since then. */
  isOld: boolean
  isPending: boolean
  /** Why it could not even be tried. */
  problem: Problem | undefined
  start: () => void
}

/** What can be tried before an integration is saved; results stay while the steps change. */
export interface Trials {
  test: Trial<Findings>
  preview: Trial<Preview>
}

/** Tries the draft of the wizard: whether the source answers, and what would come in. */
export function useTrials(wizard: Wizard): Trials {
  const testNew = api.useMutation('post', '/ui/integrations/test')
  const testStored = api.useMutation('post', '/ui/integrations/{externalId}/test')
  const previewNew = api.useMutation('post', '/ui/integrations/scopes')
  const previewStored = api.useMutation('post', '/ui/integrations/{externalId}/scopes')
  const { form } = wizard
  return {
    test: useTrial(wizard, (body) =>
      form === undefined
        ? testNew.mutateAsync({ body })
        : testStored.mutateAsync({ body, params: { path: { externalId: form.externalId } } }),
    ),
    preview: useTrial(wizard, (body) =>
      form === undefined
        ? previewNew.mutateAsync({ body })
        : previewStored.mutateAsync({ body, params: { path: { externalId: form.externalId } } }),
    ),
  }
}

type Body = ReturnType<typeof bodyOf>

interface Tried<Result> {
  result: Result | undefined
  problem: Problem | undefined
  /** What was tried, as a text. */
  text: string
}

function useTrial<Result>(
  { draft, source, fields, secrets, setViolations, goTo }: Wizard,
  send: (body: Body) => Promise<Result>,
): Trial<Result> {
  const [tried, setTried] = useState<Tried<Result>>()
  const [isPending, setPending] = useState(false)
  const body = source === undefined ? undefined : bodyOf(draft, source, fields, secrets)
  // Neither the name nor the schedule matters to a trial.
  const text = JSON.stringify([body?.configuration, body?.filters, body?.secrets])
  const tryOut = async (): Promise<void> => {
    if (body === undefined) return
    setPending(true)
    try {
      const result = await send(body)
      setTried({ result, problem: undefined, text })
      setViolations([])
    } catch (error) {
      const problem = problemOf(error)
      setTried((before) => ({ result: before?.result, problem, text }))
      setViolations(problem.violations)
      const [step] = stepsWithProblems(problem.violations)
      if (step !== undefined) goTo(step)
    } finally {
      setPending(false)
    }
  }
  return {
    result: tried?.result,
    isOld: tried !== undefined && tried.text !== text,
    isPending,
    problem: tried?.problem,
    start: () => void tryOut(),
  }
}
