import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { jsonText, type ObjectValue } from '../../../formats/text/value.ts'
import { sendText } from '../../api/document.ts'
import { toProblem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'

interface Save {
  id: string
  document: ObjectValue
  /** Undefined = there must be no such team yet. */
  etag: string | undefined
  /** Confirms that it is saved. */
  message: string
  /** Called before the page is left. */
  onSaved: () => void
}

/** Saves a team and leads to its page. */
export function useTeamSaving() {
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  return useMutation({
    mutationFn: async ({ id, document, etag }: Save) =>
      await sendText('PUT', `/api/teams/${encodeURIComponent(id)}`, {
        text: jsonText(document),
        mediaType: 'application/json',
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
      }),
    onSuccess(_, { id, message, onSaved }) {
      onSaved()
      showToast(message)
      // Roles and places of teams reach far: what may be done may have changed everywhere.
      void queries.invalidateQueries()
      router.history.push(paths.team(id))
    },
    async onError(error, { id }) {
      // Another person saved first: their version is loaded, and the page shows their changes.
      if (toProblem(error).status === 412) {
        await queries.invalidateQueries({ queryKey: ['team', id] })
      }
    },
  })
}
