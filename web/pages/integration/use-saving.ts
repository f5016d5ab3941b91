import { client } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { toIntegrationBody, missingIn, STEPS, stepsWithProblems } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

/** The state of saving the wizard's draft. */
export interface Saving {
  isPending: boolean
  problem: Problem | undefined
  /** Saves, and starts a run if `runs`. */
  save: (runs: boolean) => void
  /** Saves over the change that another person made. */
  saveOver: () => void
  /** Discards the draft and shows the integration as it is now. */
  takeTheirs: () => void
}

/** Creates or changes the integration, starts a run if requested, and opens the result. */
export function useSaving(wizard: Wizard): Saving {
  const { draft, form, fields, setViolations } = wizard
  const showToast = useToast()
  const saving = useAction({
    async request({ isForced, runs }: { isForced: boolean; runs: boolean }) {
      const externalId = await send(wizard, isForced)
      return runs ? await startRun(externalId, showToast) : paths.integration(externalId)
    },
    onSuccess: wizard.discard,
    notice: (_, { runs }) =>
      runs ? undefined : form === undefined ? 'Integration created' : 'Changes saved',
    goTo: (path) => path,
    refresh: 'everything',
    onError: ({ violations }) => setViolations(violations),
  })
  const save = (isForced: boolean, runs: boolean): void => {
    const missing = STEPS.flatMap(({ name }) => missingIn(name, draft, fields))
    setViolations(missing)
    const [step] = stepsWithProblems(missing)
    if (step !== undefined) {
      wizard.goTo(step)
      return
    }
    saving.run({ isForced, runs })
  }
  return {
    isPending: saving.isPending,
    problem: saving.problem,
    save: (runs) => save(false, runs),
    saveOver: () => save(true, saving.input?.runs ?? false),
    takeTheirs() {
      wizard.discard()
      window.location.reload()
    },
  }
}

async function send(wizard: Wizard, isForced: boolean): Promise<string> {
  const { draft, source, fields, secrets, form } = wizard
  if (source === undefined) throw new Error('no platform is chosen')
  const body = toIntegrationBody(draft, source, fields, secrets)
  if (form === undefined) {
    const { data } = await client.POST('/ui/integrations', { body })
    return data?.externalId ?? draft.externalId
  }
  const { version: _, ...unversioned } = body
  const { externalId } = form
  await client.PUT('/ui/integrations/{externalId}', {
    params: { path: { externalId } },
    body: isForced ? unversioned : body,
  })
  return externalId
}

// The integration is saved: if the run cannot start, the page of the integration shows why.
async function startRun(
  externalId: string,
  showToast: ReturnType<typeof useToast>,
): Promise<string> {
  try {
    const { data } = await client.POST('/ui/integrations/{externalId}/run', {
      params: { path: { externalId } },
      body: { kind: 'ingest' },
    })
    if (data?.ingestionRunId !== undefined) return paths.run(externalId, data.ingestionRunId)
  } catch (error) {
    showToast(`Saved, but no run was started: ${toProblem(error).summary}`, 'caution')
  }
  return paths.integration(externalId)
}
