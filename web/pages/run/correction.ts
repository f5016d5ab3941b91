import { client } from '../../api/client.ts'
import { EXCEPT_CHANGE_SETS } from '../../documents/run-buttons.tsx'
import { paths } from '../../paths.ts'
import type { RunName } from './use-run.ts'

/** A decision about a run. */
type Decision = 'undo' | 'confirm' | 'reject'

/** Returns the action that sends a decision about a run and opens the resulting run, if there is one. */
export function toCorrection(decision: Decision, name: RunName) {
  const path = `/ui/integrations/{externalId}/runs/{ingestionRunId}/${decision}` as const
  return {
    async request() {
      const { data } = await client.POST(path, { params: { path: { ...name } } })
      return data?.ingestionRunId ?? name.ingestionRunId
    },
    ...(decision === 'reject'
      ? { notice: 'Assets kept' }
      : { goTo: (ingestionRunId: string) => paths.run(name.externalId, ingestionRunId) }),
    refresh: EXCEPT_CHANGE_SETS,
  }
}
