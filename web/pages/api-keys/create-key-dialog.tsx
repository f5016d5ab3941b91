import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { client, readBody, type Schemas } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { teamsQuery, type Team } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import { useDraft } from '../../shell/draft.ts'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { KeyPermissionFields } from './key-permission-fields.tsx'
import { listGivable } from './key-permissions.ts'
import { startKeyDraft, type KeyDraft, managesKeys, SCOPES, scopeReason } from './key-draft.ts'

const FIELDS: readonly FieldRecord<keyof KeyDraft>[] = [
  {
    name: 'displayName',
    title: 'Name',
    hint: 'Where the key is used, for example "Nightly deploy, GitHub Actions".',
    control: { required: true, maxLength: 200, autoComplete: 'off' },
  },
  { name: 'scope', title: 'Scope' },
  { name: 'teamId', title: 'Team' },
  { name: 'permissions', title: 'Permissions' },
  {
    name: 'expiresAt',
    title: 'Expires on',
    optional: true,
    control: { type: 'date', className: 'max-w-44' },
  },
]

interface CreateKeyDialogProps {
  /** The key to replace; undefined = none. */
  like: Schemas['UiApiKey'] | undefined
  onClose: () => void
  onCreated: (key: Schemas['CreatedApiKey']) => void
}

/** The form of a new key. */
export function CreateKeyDialog({ like, onClose, onCreated }: CreateKeyDialogProps) {
  const [initial] = useState(() => startKeyDraft(like))
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const draft = useDraft(`api-key:${like?.organizationApiKeyId ?? ''}`, initial)
  const { scope, teamId, displayName, expiresAt, isLimited, permissions } = draft.value
  const givable = listGivable(useSession(), scope, teamId)
  const change = (patch: Partial<KeyDraft>): void => draft.set({ ...draft.value, ...patch })
  const body = {
    scope,
    teamId: KEY_SCOPES[scope].holder === 'team' ? teamId : null,
    displayName,
    expiresAt: expiresAt === '' ? null : expiresAt,
    // Another scope or team may have been chosen later.
    permissions:
      isLimited && !KEY_SCOPES[scope].isReadOnly
        ? permissions.filter((one) => givable.has(one))
        : null,
  }
  const create = useAction({
    request: () => readBody(client.POST('/ui/api-keys', { body })),
    onSuccess(key) {
      draft.discard()
      onCreated(key)
    },
    refresh: ['/ui/api-keys'],
  })
  const problem = create.problem && describeProblem(create.problem)
  return (
    <Dialog
      open
      wide={isLimited}
      onClose={onClose}
      title={like === undefined ? 'Create API key' : 'Replace API key'}
      description={describeTask(like)}
    >
      <InputForm
        label="API key"
        fields={FIELDS}
        values={draft.value}
        onChange={draft.set}
        overrides={{
          teamId: { isHidden: KEY_SCOPES[scope].holder !== 'team' },
          expiresAt: { hint: describeExpiry(expiresAt), control: { min: today } },
        }}
        inputs={{
          scope: <ScopeChoice scope={scope} onChange={(one) => change({ scope: one })} />,
          teamId: <KeyTeam teamId={teamId} onChange={(one) => change({ teamId: one })} />,
          permissions: <KeyPermissionFields draft={draft.value} onChange={change} />,
        }}
        sending={{ ...create, problem }}
        action="Create API key"
        onSubmit={create.run}
      />
    </Dialog>
  )
}

function describeTask(like: Schemas['UiApiKey'] | undefined): string {
  if (like === undefined) return 'A program signs in with it.'
  const { displayName, expired } = like
  const start = `The form has the settings of "${displayName}".`
  return expired
    ? `${start} The old key has expired; delete it when programs use the new one.`
    : `${start} The old key keeps working: delete it when programs use the new one.`
}

function describeExpiry(expiresAt: string): string {
  if (expiresAt === '') return 'If empty, the key never expires. You cannot edit this later.'
  return `The key works through the end of ${dayText(expiresAt)}, UTC. You cannot edit this later.`
}

function describeProblem(problem: Problem) {
  const { status, title, message, violations } = problem
  if (status !== 409) return { title, message, violations }
  return {
    title: 'All keys of the organization are in use',
    message: `${message} Delete a key that is expired or no longer used, then create this one. What you typed here is kept.`,
    violations: [],
  }
}

interface KeyTeamProps {
  teamId: string
  onChange: (teamId: string) => void
}

/** The team of a key: one whose keys the person manages, or any for an owner of the organization. */
function KeyTeam(props: KeyTeamProps) {
  const session = useSession()
  const owned = session.teams.filter(managesKeys)
  return mayOwn(session).allowed ? <AnyTeam {...props} /> : <TeamSelect {...props} teams={owned} />
}

function AnyTeam(props: KeyTeamProps) {
  const { data, error } = useQuery(teamsQuery)
  if (error !== null) {
    return (
      <Notice tone="critical" title="Teams not loaded">
        Close this dialog and try again. What you typed is kept.
      </Notice>
    )
  }
  if (data?.length === 0) {
    return (
      <Notice tone="info" title="No teams yet">
        Create a team first, or choose the scope Organization.
      </Notice>
    )
  }
  return <TeamSelect {...props} teams={data ?? []} />
}

interface TeamSelectProps extends KeyTeamProps {
  teams: readonly Pick<Team, 'id' | 'name'>[]
}

function TeamSelect({ teamId, onChange, teams }: TeamSelectProps) {
  return (
    <ChoiceField
      label="Team"
      hint="The key also acts for the teams below it."
      field="teamId"
      required
      value={teamId}
      placeholder="Choose a team"
      choices={toTeamChoices(teams, teamId)}
      onChange={onChange}
    />
  )
}

interface ScopeChoiceProps {
  scope: KeyScope
  onChange: (scope: KeyScope) => void
}

/** The six scopes, each with its powers; a scope that the person may not choose shows the reason. */
function ScopeChoice({ scope, onChange }: ScopeChoiceProps) {
  const session = useSession()
  return (
    <RadioGroup
      label="Scope"
      name="scope"
      value={scope}
      options={SCOPES.map((one) => ({
        value: one,
        label: KEY_SCOPES[one].title,
        hint: KEY_SCOPES[one].powers,
        reason: scopeReason(session, one),
      }))}
      onChange={onChange}
    />
  )
}
