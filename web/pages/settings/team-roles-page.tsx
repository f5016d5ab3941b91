import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api, client, type Answer } from '../../api/client.ts'
import { toCurrentPermissions, labelPermission } from '../../api/permission-groups.ts'
import type { EffectivePermission } from '../../api/permission-words.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { RoleDialog } from './role-dialog.tsx'
import {
  findRolesProblem,
  listRoleEffects,
  type CustomRoles,
  type TeamRole,
  type RoleEffect,
} from './role-effects.ts'
import { RoleTable } from './role-table.tsx'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { teamRolesQuery, toCondition, type TaggedSetting } from './setting-query.ts'
import { SettingsFrame } from './settings-frame.tsx'

type RoleFacts = Answer<'/ui/team-roles', 'get'>

/** The roles that members can have in teams, and what each allows. */
export function TeamRolesPage() {
  const { organization } = useSession()
  const roles = useQuery(teamRolesQuery(organization?.id))
  const facts = api.useQuery('get', '/ui/team-roles', {})
  return (
    <SettingsFrame at={paths.teamRoles}>
      <Loaded query={facts}>
        {(data) => (
          <Loaded query={roles}>
            {(stored) => <TeamRolesForm key={organization?.id} stored={stored} facts={data} />}
          </Loaded>
        )}
      </Loaded>
    </SettingsFrame>
  )
}

type StoredRoles = TaggedSetting<Answer<'/api/settings/team-roles', 'get'>>

function toCustomRoles({ value }: StoredRoles): CustomRoles {
  if (value.mode === 'default') return undefined
  return (value['team-roles'] ?? []).map((role) => ({
    ...role,
    permissions: toCurrentPermissions(role.permissions),
  }))
}

const MODES = [
  {
    value: 'default',
    label: 'Default roles',
    hint: 'Owner, Approver, Editor, Steward and Member.',
  },
  {
    value: 'custom-team-roles',
    label: 'Custom roles',
    hint: 'Your own roles. They replace the default ones; a role that is not in the list allows what a Member may do.',
  },
] as const

const NEW_ROLE: TeamRole = { name: '', permissions: [] }

interface TeamRolesFormProps {
  stored: StoredRoles
  facts: RoleFacts
}

function useRolesEditing(stored: StoredRoles) {
  const editing = useSettingEditing(stored, toCustomRoles)
  // Edited custom roles while the default roles are selected.
  const [edited, setEdited] = useState<CustomRoles>(undefined)
  return {
    ...editing,
    edited,
    setEdited,
    discard() {
      setEdited(undefined)
      editing.discard()
    },
    settle(saved: CustomRoles) {
      setEdited(undefined)
      editing.settle(saved)
    },
  }
}

function TeamRolesForm({ stored, facts: { defaults, uses } }: TeamRolesFormProps) {
  const { reason } = mayOwn(useSession())
  const editing = useRolesEditing(stored)
  const { form: custom, change: setCustom, base, isChanged, edited, setEdited } = editing
  const before = toCustomRoles(base)
  const saving = useSettingSaving({
    request: () => saveRoles(custom, base.etag),
    notice: 'Team roles saved',
    // The person's own permissions may have changed, too.
    data: 'everything',
    editing,
  })
  const effects = listRoleEffects({ before, after: custom }, defaults, uses)
  return (
    <SettingForm
      label="Team roles"
      editing={editing}
      saving={saving}
      reason={reason ?? (isChanged ? findRolesProblem(custom, effects) : undefined)}
      saveLabel="Save roles"
    >
      <RadioGroup
        label="Roles of team members"
        name="mode"
        value={custom === undefined ? 'default' : 'custom-team-roles'}
        options={MODES.map((mode) => ({ ...mode, reason }))}
        onChange={(mode) =>
          setCustom(mode === 'default' ? undefined : (edited ?? before ?? defaults))
        }
      />
      {custom === undefined ? (
        <Panel title="Default roles" flush>
          <RoleTable roles={defaults} uses={uses} />
        </Panel>
      ) : (
        <CustomRolesPanel
          roles={custom}
          uses={uses}
          reason={reason}
          onChange={(roles) => {
            setEdited(roles)
            setCustom(roles)
          }}
        />
      )}
      {isChanged && (
        <Panel title="Effect of your changes">
          <RoleEffectList effects={effects} />
        </Panel>
      )}
    </SettingForm>
  )
}

interface CustomRolesPanelProps {
  roles: readonly TeamRole[]
  uses: RoleFacts['uses']
  /** Why the person cannot change them; undefined = they can. */
  reason: string | undefined
  onChange: (roles: readonly TeamRole[]) => void
}

function CustomRolesPanel({ roles, uses, reason, onChange }: CustomRolesPanelProps) {
  const [edited, setEdited] = useState<number | undefined>(undefined)
  const actions = {
    onEdit: setEdited,
    onRemove: (at: number) => onChange(roles.toSpliced(at, 1)),
  }
  return (
    <Panel
      title="Custom roles"
      flush
      actions={
        <Button icon={Plus} reason={reason} onClick={() => setEdited(roles.length)}>
          Add role
        </Button>
      }
    >
      <RoleTable roles={roles} uses={uses} {...(reason === undefined ? { actions } : {})} />
      {edited !== undefined && (
        <RoleDialog
          role={roles[edited] ?? NEW_ROLE}
          title={roles[edited] === undefined ? 'Add role' : 'Edit role'}
          others={roles.filter((_, at) => at !== edited).map(({ name }) => name)}
          onClose={() => setEdited(undefined)}
          onDone={(role) => {
            onChange(roles.toSpliced(edited, 1, role))
            setEdited(undefined)
          }}
        />
      )}
    </Panel>
  )
}

async function saveRoles(custom: CustomRoles, etag: string | undefined): Promise<void> {
  const roles = custom?.map((role) => ({ ...role, permissions: [...role.permissions] }))
  await client.PUT('/api/settings/team-roles', {
    headers: toCondition(etag),
    body:
      roles === undefined
        ? { mode: 'default' }
        : { mode: 'custom-team-roles', 'team-roles': roles },
  })
}

/** The permissions that members gain and lose when the edited roles are saved. */
function RoleEffectList({ effects }: { effects: readonly RoleEffect[] }) {
  if (effects.length === 0) {
    return <p className="text-muted">No member gains or loses a permission.</p>
  }
  return (
    <ul aria-label="Effect" className="grid gap-2">
      {effects.map((effect) => (
        <li key={effect.role}>
          <Notice
            tone={getTone(effect)}
            title={`${effect.role}: ${countText(effect.members, 'member')}`}
          >
            {effect.isMissing ? (
              <p>The role is missing.</p>
            ) : (
              <>
                <Changes title="They gain" permissions={effect.gains} />
                <Changes title="They lose" permissions={effect.losses} />
              </>
            )}
          </Notice>
        </li>
      ))}
    </ul>
  )
}

function Changes({
  title,
  permissions,
}: {
  title: string
  permissions: readonly EffectivePermission[]
}) {
  if (permissions.length === 0) return null
  return (
    <p>
      {title}: {permissions.map(labelPermission).join(', ')}
    </p>
  )
}

function getTone({ isMissing, losses }: RoleEffect): 'critical' | 'caution' | 'info' {
  if (isMissing) return 'critical'
  return losses.length > 0 ? 'caution' : 'info'
}
