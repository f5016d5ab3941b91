import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { jsonText, type ObjectValue } from '../../../formats/text/value.ts'
import { sendText } from '../../api/document.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'

interface Save {
  id: string
  document: ObjectValue
  /** Undefined = there must be no such team yet. */
  etag: string | undefined
  told: string
  /** Called before the page is left. */
  onSaved: () => void
}

/** Saves a team and leads to its page. An error is shown until the next attempt. */
export function useTeamSaving(): {
  save: (what: Save) => void
  isBusy: boolean
  problem: Problem | undefined
} {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const put = async ({ id, document, etag, told, onSaved }: Save): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await sendText('PUT', `/api/teams/${encodeURIComponent(id)}`, {
        text: jsonText(document),
        mediaType: 'application/json',
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
      })
      onSaved()
      showToast(told)
      // Roles and places of teams reach far: what may be done may have changed everywhere.
      void queries.invalidateQueries()
      router.history.push(paths.team(id))
    } catch (error) {
      const refused = toProblem(error)
      setProblem(refused)
      // Another person saved first: their version is loaded, and the page shows their changes.
      if (refused.status === 412) await queries.invalidateQueries({ queryKey: ['team', id] })
    } finally {
      setBusy(false)
    }
  }
  return { save: (what) => void put(what), isBusy, problem }
}
