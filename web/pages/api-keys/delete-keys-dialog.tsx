import { client, type Schemas } from '../../api/client.ts'
import { ago } from '../../parts/time.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { deleteEach } from './delete-each.ts'

type ApiKey = Schemas['UiApiKey']

const NAMES_SHOWN = 8

interface DeleteKeysDialogProps {
  apiKeys: readonly ApiKey[]
  onClose: () => void
  /** Is called when all of them are deleted. */
  onDeleted: () => void
}

/** Asks before keys are deleted, and lists what stops working. */
export function DeleteKeysDialog({ apiKeys, onClose, onDeleted }: DeleteKeysDialogProps) {
  const [first] = apiKeys
  const isOne = apiKeys.length === 1
  const working = apiKeys.filter(({ expired }) => !expired)
  return (
    <ActionDialog
      title={
        isOne ? `Delete the API key "${first?.displayName}"?` : `Delete ${apiKeys.length} API keys?`
      }
      button={isOne ? 'Delete API key' : `Delete ${apiKeys.length} API keys`}
      danger
      request={() => deleteKeys(apiKeys)}
      onSuccess={onDeleted}
      notice={isOne ? 'API key deleted' : `${apiKeys.length} API keys deleted`}
      refresh={['/ui/api-keys']}
      refreshAfterError={['/ui/api-keys']}
      onClose={onClose}
    >
      <ul className={isOne ? 'grid gap-1' : 'grid list-disc gap-1 pl-5'}>
        {apiKeys.slice(0, NAMES_SHOWN).map((key) => (
          <li key={key.organizationApiKeyId} className="user-text">
            {!isOne && <span className="font-medium text-ink">{key.displayName}: </span>}
            {describeUse(key)}
            {key.secretPrefix !== null && <code> ({key.secretPrefix}…)</code>}
          </li>
        ))}
        {apiKeys.length > NAMES_SHOWN && <li>and {apiKeys.length - NAMES_SHOWN} more</li>}
      </ul>
      <p>
        {working.length === 0
          ? 'Nothing stops working. Expired keys no longer count towards the limit.'
          : 'Programs that use a deleted key are rejected within a second. This cannot be undone: a new key has a new secret.'}
      </p>
    </ActionDialog>
  )
}

async function deleteKey(organizationApiKeyId: string): Promise<void> {
  const params = { path: { organizationApiKeyId } }
  await client.DELETE('/ui/api-keys/{organizationApiKeyId}', { params })
}

async function deleteKeys(apiKeys: readonly ApiKey[]): Promise<void> {
  const items = apiKeys.map(({ organizationApiKeyId: id, displayName: name }) => ({ id, name }))
  await deleteEach(items, deleteKey, 'API keys')
}

function describeUse(key: ApiKey): string {
  const { scope, teamName, teamId, personName, lastUsedAt, expired, createdBy } = key
  const owner = teamName ?? teamId ?? personName
  const kind = `${KEY_SCOPES[scope].title} key${owner === null ? '' : ` of ${owner}`}`
  const use = lastUsedAt === null ? 'never used' : `last used ${ago(lastUsedAt)}`
  return [kind, ...(expired ? ['expired'] : []), use, `created by ${createdBy}`].join(', ')
}
