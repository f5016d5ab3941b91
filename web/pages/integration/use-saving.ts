import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { problemOf, type Problem } from '../../api/problem.ts'
import { useTell } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { bodyOf, missingIn, STEPS, stepsWithProblems } from './integration-draft.ts'
import type { Wizard } from './use-wizard.ts'

/** How the wizard ends. */
export interface Saving {
  isPending: boolean
  problem: Problem | undefined
  save: () => void
  /** Saves although somebody else changed the integration meanwhile. */
  saveOver: () => void
  /** Forgets what was typed, and shows the integration as it is now. */
  takeTheirs: () => void
}

/** Creates or changes the integration, runs it where that is asked for, and goes to what came of it. */
export function useSaving(wizard: Wizard): Saving {
  const { draft, form, fields, setViolations } = wizard
  const router = useRouter()
  const queries = useQueryClient()
  const tell = useTell()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const finish = async (externalId: string): Promise<void> => {
    wizard.discard()
    await queries.invalidateQueries()
    if (!draft.runsAtOnce) {
      tell(form === undefined ? 'The integration is created' : 'The changes are saved')
      router.history.push(paths.integration(externalId))
      return
    }
    router.history.push(await startedRun(externalId, tell))
  }
  const save = async (isForced: boolean): Promise<void> => {
    const missing = STEPS.flatMap(({ name }) => missingIn(name, draft, fields))
    setViolations(missing)
    const [step] = stepsWithProblems(missing)
    if (step !== undefined) {
      wizard.goTo(step)
      return
    }
    setPending(true)
    setProblem(undefined)
    try {
      await finish(await send(wizard, isForced))
    } catch (error) {
      const refused = problemOf(error)
      setProblem(refused)
      setViolations(refused.violations)
    } finally {
      setPending(false)
    }
  }
  return {
    isPending,
    problem,
    save: () => void save(false),
    saveOver: () => void save(true),
    takeTheirs() {
      wizard.discard()
      window.location.reload()
    },
  }
}

async function send(wizard: Wizard, isForced: boolean): Promise<string> {
  const { draft, source, fields, secrets, form } = wizard
  if (source === undefined) throw new Error('there is no platform')
  const body = bodyOf(draft, source, fields, secrets)
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

// The integration is saved by now: when the run cannot begin, its page tells more than this one.
async function startedRun(externalId: string, tell: ReturnType<typeof useTell>): Promise<string> {
  try {
    const { data } = await client.POST('/ui/integrations/{externalId}/run', {
      params: { path: { externalId } },
      body: { kind: 'ingest' },
    })
    if (data?.ingestionRunId !== undefined) return paths.run(externalId, data.ingestionRunId)
  } catch (error) {
    tell(`It is saved, and does not run: ${problemOf(error).message}`, 'caution')
  }
  return paths.integration(externalId)
}
