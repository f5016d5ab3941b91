import { useQueryClient } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { ago } from '../../parts/time.tsx'
import { useTell } from '../../parts/toast.tsx'
import { scopeTitle } from './scopes.ts'

interface DeleteKeyDialogProps {
  apiKey: Schemas['UiApiKey']
  onClose: () => void
}

/** Asks before a key ends, and says what then stops working. */
export function DeleteKeyDialog({ apiKey, onClose }: DeleteKeyDialogProps) {
  const queries = useQueryClient()
  const tell = useTell()
  const { organizationApiKeyId, displayName, expired } = apiKey
  const end = api.useMutation('delete', '/ui/api-keys/{organizationApiKeyId}', {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['get', '/ui/api-keys'] })
      tell(
        expired ? 'The key is deleted.' : 'The key is deleted. It stops working within a second.',
      )
      onClose()
    },
    async onError(error) {
      // Somebody else was faster: it is gone, as was wanted.
      if (problemOf(error).status !== 404) return
      await queries.invalidateQueries({ queryKey: ['get', '/ui/api-keys'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the key “${displayName}”?`}
      action="Delete key"
      danger
      busy={end.isPending}
      onConfirm={() => end.mutate({ params: { path: { organizationApiKeyId } } })}
    >
      <p className="user-text">{consequence(apiKey)}</p>
      {!expired && <p>This cannot be taken back: a new key has a new secret.</p>}
      {end.error !== null && <ProblemNotice problem={problemOf(end.error)} />}
    </ConfirmDialog>
  )
}

function consequence({
  scope,
  teamName,
  teamId,
  personName,
  lastUsedAt,
  expired,
}: Schemas['UiApiKey']): string {
  if (expired)
    return 'It has expired, so nothing stops working. It no longer counts among the keys.'
  const whose = teamName ?? teamId ?? personName
  const kind = `${scopeTitle(scope)} key${whose === null ? '' : ` of ${whose}`}`
  return lastUsedAt === null
    ? `${kind}, never used. Whoever has its secret is refused from now on.`
    : `${kind}, last used ${ago(lastUsedAt)}. Every program that signs in with it is refused from now on.`
}
