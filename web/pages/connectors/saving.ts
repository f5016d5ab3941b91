import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { sendText } from '../../api/document.ts'
import { toProblem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { toConnectorPath } from './connector.ts'

interface Save {
  id: string
  text: string
  /** Undefined = there must be no such connector yet. */
  etag: string | undefined
  /** Confirms that it is saved. */
  message: string
  /** Called before the page is left. */
  onSaved: () => void
}

/** Saves a connector and leads to its page. */
export function useConnectorSaving() {
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  return useMutation({
    mutationFn: async ({ id, text, etag }: Save) =>
      await sendText('PUT', toConnectorPath(id), {
        text,
        mediaType: 'application/json',
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
      }),
    onSuccess(_, { id, message, onSaved }) {
      onSaved()
      showToast(message)
      void queries.invalidateQueries({ queryKey: ['get', '/api/connectors'] })
      void queries.invalidateQueries({ queryKey: ['connector', id] })
      router.history.push(paths.connector(id))
    },
    async onError(error, { id }) {
      // The connector stored something in the meantime: the page offers to replace it.
      if (toProblem(error).status === 412) {
        await queries.invalidateQueries({ queryKey: ['connector', id] })
      }
    },
  })
}
