import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { ALL_PERMISSION_GROUPS, NO_EFFECT } from '../../api/permission-groups.ts'
import { useSession } from '../../api/session.ts'
import type { Permission } from '../../api/permission-words.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox, RadioGroup, useFieldError } from '../../parts/field.tsx'
import type { KeyDraft } from './key-draft.ts'
import { listGivable, PRESETS } from './key-permissions.ts'

interface KeyPermissionFieldsProps {
  draft: KeyDraft
  onChange: (patch: Partial<KeyDraft>) => void
}

/** The permissions of a key: all within its scope, or chosen ones. */
export function KeyPermissionFields({ draft, onChange }: KeyPermissionFieldsProps) {
  const error = useFieldError('permissions')
  const { scope, teamId, isLimited, permissions } = draft
  const givable = listGivable(useSession(), scope, teamId)
  if (KEY_SCOPES[scope].isReadOnly) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <RadioGroup
        label="Permissions"
        name="permissions"
        value={isLimited ? 'chosen' : 'all'}
        options={[
          { value: 'all', label: describeAll(scope) },
          {
            value: 'chosen',
            label: 'Only chosen permissions',
            hint: 'A leaked key can do less. Permissions of later versions are not added.',
          },
        ]}
        onChange={(value) => onChange({ isLimited: value === 'chosen' })}
      />
      {isLimited && (
        <PermissionChooser
          chosen={permissions}
          givable={givable}
          onChange={(chosen) => onChange({ permissions: chosen })}
        />
      )}
      {error !== undefined && (
        <p role="alert" className="user-text text-sm text-critical">
          {error}
        </p>
      )}
    </div>
  )
}

function describeAll(scope: KeyScope): string {
  switch (KEY_SCOPES[scope].holder) {
    case 'user':
      return 'Everything that you can do'
    case 'team':
      return 'Everything that you can do in this team'
    case 'organization':
      return 'Everything that an owner can do in the API'
  }
}

interface PermissionChooserProps {
  chosen: readonly Permission[]
  /** Others cannot be chosen. */
  givable: ReadonlySet<Permission>
  onChange: (chosen: readonly Permission[]) => void
}

function PermissionChooser({ chosen, givable, onChange }: PermissionChooserProps) {
  const toggle = (permission: Permission, isOn: boolean): void =>
    onChange(isOn ? [...chosen, permission] : chosen.filter((one) => one !== permission))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-md border border-line p-3">
      <div role="group" aria-label="Usual choices" className="flex flex-wrap gap-2">
        {PRESETS.map(({ title, permissions }) => (
          <Button
            key={title}
            reason={
              permissions.every((one) => givable.has(one))
                ? undefined
                : 'You do not have these permissions in this team.'
            }
            onClick={() => onChange(permissions)}
          >
            {title}
          </Button>
        ))}
      </div>
      <p role="status" className="text-sm text-muted">
        {chosen.length === 0
          ? 'Nothing is chosen: the key only reads.'
          : `${chosen.length} chosen. The key also reads what everyone in the organization can read.`}
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        {ALL_PERMISSION_GROUPS.map((group) => (
          <fieldset key={group.title} className="grid content-start gap-1.5">
            <legend className="mb-1 text-sm font-medium">{group.title}</legend>
            {group.permissions.map(({ permission, label, hasEffect }) => (
              <Checkbox
                key={permission}
                label={label}
                hint={describeChoice(givable.has(permission), hasEffect)}
                disabled={!givable.has(permission)}
                checked={chosen.includes(permission)}
                onChange={({ target }) => toggle(permission, target.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </div>
  )
}

function describeChoice(isGivable: boolean, hasEffect: boolean): string | undefined {
  if (!isGivable) return 'You do not have it in this team'
  return hasEffect ? undefined : NO_EFFECT
}
