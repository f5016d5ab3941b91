import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import type { RunName } from './use-run.ts'

/** A decision about a run. */
export type Decision = 'undo' | 'confirm' | 'reject'

/** The state of a decision that is being confirmed. */
export interface Correction {
  asked: Decision | undefined
  isPending: boolean
  problem: Problem | undefined
  ask: (decision: Decision) => void
  close: () => void
  decide: () => void
}

/** Confirms a decision, sends it, and opens the resulting run. */
export function useCorrection(name: RunName): Correction {
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const [asked, setAsked] = useState<Decision>()
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const decide = async (decision: Decision): Promise<void> => {
    setPending(true)
    setProblem(undefined)
    try {
      const ingestionRunId = await send(decision, name)
      setAsked(undefined)
      await queries.invalidateQueries({
        // The change set of a finished run is final, and may be large.
        predicate: ({ queryKey }) => !String(queryKey[1]).endsWith('/changes'),
      })
      if (decision === 'reject') showToast('Assets kept')
      else router.history.push(paths.run(name.externalId, ingestionRunId))
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setPending(false)
    }
  }
  return {
    asked,
    isPending,
    problem,
    ask(decision) {
      setProblem(undefined)
      setAsked(decision)
    },
    close: () => setAsked(undefined),
    decide() {
      if (asked !== undefined) void decide(asked)
    },
  }
}

async function send(decision: Decision, name: RunName): Promise<string> {
  const init = { params: { path: { ...name } } }
  const base = '/ui/integrations/{externalId}/runs/{ingestionRunId}'
  const { data } =
    decision === 'undo'
      ? await client.POST(`${base}/undo`, init)
      : decision === 'confirm'
        ? await client.POST(`${base}/confirm`, init)
        : await client.POST(`${base}/reject`, init)
  return data?.ingestionRunId ?? name.ingestionRunId
}
