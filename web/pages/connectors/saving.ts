import { sendText } from '../../api/document.ts'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
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
  return useAction({
    request: async ({ id, text, etag }: Save) =>
      await sendText('PUT', toConnectorPath(id), {
        text,
        mediaType: 'application/json',
        ...(etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag }),
      }),
    onSuccess: (_, { onSaved }) => onSaved(),
    notice: (_, { message }) => message,
    goTo: (_, { id }) => paths.connector(id),
    refresh: ['/api/connectors', { queryKey: ['connector'] }],
    // The connector may have stored something in the meantime: the page offers to replace it.
    refreshAfterError: [{ queryKey: ['connector'] }],
  })
}
