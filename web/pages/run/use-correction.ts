import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import type { RunName } from './use-run.ts'

/** A decision about a run. */
export type Decision = 'undo' | 'confirm' | 'reject'

/** Confirms a decision, sends it, and opens the resulting run. */
export function useCorrection(name: RunName) {
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const [asked, setAsked] = useState<Decision>()
  const correction = useMutation({
    mutationFn: async (decision: Decision) => await send(decision, name),
    async onSuccess(ingestionRunId, decision) {
      setAsked(undefined)
      await queries.invalidateQueries({
        // The change set of a finished run is final, and may be large.
        predicate: ({ queryKey }) => !String(queryKey[1]).endsWith('/changes'),
      })
      if (decision === 'reject') showToast('Assets kept')
      else router.history.push(paths.run(name.externalId, ingestionRunId))
    },
  })
  return {
    /** The decision that the person has to confirm. */
    asked,
    isPending: correction.isPending,
    problem: findProblem(correction),
    ask(decision: Decision) {
      correction.reset()
      setAsked(decision)
    },
    close: () => setAsked(undefined),
    decide() {
      if (asked !== undefined) correction.mutate(asked)
    },
  }
}

/** The state of a decision that is being confirmed. */
export type Correction = ReturnType<typeof useCorrection>

async function send(decision: Decision, name: RunName): Promise<string> {
  const init = { params: { path: { ...name } } }
  const path = `/ui/integrations/{externalId}/runs/{ingestionRunId}/${decision}` as const
  const { data } = await client.POST(path, init)
  return data?.ingestionRunId ?? name.ingestionRunId
}
