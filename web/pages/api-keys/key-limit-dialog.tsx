import type { Schemas } from '../../api/client.ts'
import { ALL_PERMISSION_GROUPS } from '../../api/permission-groups.ts'
import { Dialog } from '../../parts/dialog.tsx'

interface KeyLimitDialogProps {
  apiKey: Schemas['UiApiKey']
  onClose: () => void
}

/** The permissions of a limited key, by the kind of resource. */
export function KeyLimitDialog({ apiKey, onClose }: KeyLimitDialogProps) {
  const { displayName, permissions } = apiKey
  const names = new Set(permissions)
  const groups = ALL_PERMISSION_GROUPS.flatMap(({ title, permissions: all }) => {
    const chosen = all.filter(({ permission }) => names.has(permission))
    return chosen.length === 0 ? [] : [{ title, chosen }]
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Permissions of "${displayName}"`}
      description="They cannot be changed: create another key instead."
    >
      {groups.length === 0 ? (
        <p className="text-muted">None: the key only reads.</p>
      ) : (
        <dl className="grid gap-3">
          {groups.map(({ title, chosen }) => (
            <div key={title}>
              <dt className="text-sm font-medium">{title}</dt>
              {chosen.map(({ permission, label, hasEffect }) => (
                <dd key={permission}>
                  {label}
                  {!hasEffect && <span className="text-sm text-muted"> no effect yet</span>}
                </dd>
              ))}
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  )
}
