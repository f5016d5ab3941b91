import { useState } from 'react'
import { client, readBody, type Answer } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import type { FormValues } from '../../parts/schema-form-values.ts'
import { useAction } from '../../shell/action.ts'
import { toIntegrationBody, stepsWithProblems, type IntegrationDraft } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

/** The findings of a connection test. */
export type Findings = Answer<'/ui/integrations/test', 'post'>

/** The scopes that the filters include and exclude. */
export type Preview = Answer<'/ui/integrations/scopes', 'post'>

/** One kind of attempt with the draft. */
interface Trial<Result> {
  /** The last result; undefined = there is none yet. */
  result: Result | undefined
  /** The draft of the last attempt. */
  tried: IntegrationDraft | undefined
  /** The draft has changed since then. */
  isOld: boolean
  isPending: boolean
  /** Why the attempt was refused. */
  problem: Problem | undefined
  /** Starts an attempt; `values` replace those of the connection, if they have just changed. */
  start: (values?: FormValues, onResult?: (result: Result) => void) => void
}

/** Attempts with an integration before it is saved; results are kept while the steps change. */
export interface Trials {
  test: Trial<Findings>
  preview: Trial<Preview>
}

/** Tests the connection of the wizard's draft, and previews what its filters include. */
export function useTrials(wizard: Wizard): Trials {
  const { form } = wizard
  const externalId = form?.externalId
  return {
    test: useTrial(
      wizard,
      (body) => [body.configuration, body.secrets],
      (body) =>
        readBody(
          externalId === undefined
            ? client.POST('/ui/integrations/test', { body })
            : client.POST('/ui/integrations/{externalId}/test', {
                body,
                params: { path: { externalId } },
              }),
        ),
    ),
    preview: useTrial(
      wizard,
      (body) => [body.configuration, body.filters, body.secrets],
      (body) =>
        readBody(
          externalId === undefined
            ? client.POST('/ui/integrations/scopes', { body })
            : client.POST('/ui/integrations/{externalId}/scopes', {
                body,
                params: { path: { externalId } },
              }),
        ),
    ),
  }
}

type Body = ReturnType<typeof toIntegrationBody>

interface Tried<Result> {
  result: Result | undefined
  problem: Problem | undefined
  draft: IntegrationDraft
  /** The parts of the body that matter, as a text. */
  text: string
}

interface Attempt<Result> {
  draft: IntegrationDraft
  body: Body
  onResult: ((result: Result) => void) | undefined
}

function useTrial<Result>(
  wizard: Wizard,
  pickParts: (body: Body) => unknown[],
  send: (body: Body) => Promise<Result>,
): Trial<Result> {
  const [tried, setTried] = useState<Tried<Result>>()
  const toBody = (draft: IntegrationDraft): Body | undefined => {
    const { source, fields, secrets } = wizard
    return source === undefined ? undefined : toIntegrationBody(draft, source, fields, secrets)
  }
  const toText = (body: Body | undefined): string =>
    body === undefined ? '' : JSON.stringify(pickParts(body))
  const attempt = useAction({
    request: ({ body }: Attempt<Result>) => send(body),
    onSuccess(result, { draft, body, onResult }) {
      setTried({ result, problem: undefined, draft, text: toText(body) })
      wizard.setViolations([])
      onResult?.(result)
    },
    onError(problem, { draft, body }) {
      setTried((before) => ({ result: before?.result, problem, draft, text: toText(body) }))
      wizard.setViolations(problem.violations)
      const [step] = stepsWithProblems(problem.violations)
      if (step !== undefined) wizard.goTo(step)
    },
  })
  return {
    result: tried?.result,
    tried: tried?.draft,
    isOld: tried !== undefined && tried.text !== toText(toBody(wizard.draft)),
    isPending: attempt.isPending,
    problem: tried?.problem,
    start(values = wizard.draft.values, onResult) {
      const draft = { ...wizard.draft, values }
      const body = toBody(draft)
      if (body !== undefined) attempt.run({ draft, body, onResult })
    },
  }
}
