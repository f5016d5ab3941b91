import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { TEAM_FORM_FIELDS, type TeamFieldKind } from '../../../formats/team/team-fields.ts'
import { TEAM_TYPES } from '../../../formats/team/team-type.ts'
import { may, useSession, type SignedIn } from '../../api/session.ts'
import { withTeamsBelow } from '../../api/team-tree.ts'
import { useTeams } from '../../api/teams.ts'
import { IconButton } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Input, useFieldError } from '../../parts/field.tsx'
import { FormFields, PAIR, type FieldRecord } from '../../parts/form-fields.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { MembersField } from './members-field.tsx'
import type { TeamFieldName, TeamForm } from './team-form-values.ts'

const CONTROLS: Partial<Record<TeamFieldKind, Omit<FieldRecord, 'name' | 'title'>>> = {
  'long-text': { kind: 'long-text' },
  type: { kind: 'choice', choices: toChoices(TEAM_TYPES), row: PAIR },
  parent: { row: PAIR },
  tags: { kind: 'tags' },
}

const FIELDS = TEAM_FORM_FIELDS.map((field): FieldRecord<TeamFieldName> => {
  const { name, title, kind } = field
  const isText = kind === 'text' || kind === 'long-text'
  const required = isText && 'isRequired' in field
  return { name, title, optional: isText && !required, control: { required }, ...CONTROLS[kind] }
})

interface TeamFieldsProps {
  /** Undefined = a new team. */
  id: string | undefined
  form: TeamForm
  /** The parent when the team was read; undefined for a new team. */
  parentBefore: string | undefined
  onChange: (form: TeamForm) => void
  /** Between the name and the rest. */
  children?: ReactNode
}

/** The fields of a team. */
export function TeamFields({ id, form, parentBefore, onChange, children }: TeamFieldsProps) {
  const common = { values: form, onChange }
  const set = (patch: Partial<TeamForm>): void => onChange({ ...form, ...patch })
  return (
    <>
      <FormFields {...common} fields={FIELDS.filter(({ name }) => name === 'name')} />
      {children}
      <FormFields
        {...common}
        fields={FIELDS.filter(({ name }) => name !== 'name')}
        inputs={{
          parent: (
            <ParentField
              id={id}
              value={form.parent}
              before={parentBefore}
              onChange={(parent) => set({ parent })}
            />
          ),
          members: <MembersField members={form.members} onChange={(members) => set({ members })} />,
          links: <LinksField links={form.links} onChange={(links) => set({ links })} />,
        }}
      />
    </>
  )
}

interface LinksFieldProps {
  links: TeamForm['links']
  onChange: (links: TeamForm['links']) => void
}

/** Links of a team: a wiki, a repository, a chat; each with a name and an address. */
function LinksField({ links, onChange }: LinksFieldProps) {
  const error = useFieldError('links')
  return (
    <>
      <RowList
        title="Links"
        rows={links}
        addLabel="Add link"
        newRow={{ name: '', href: '' }}
        onChange={onChange}
      >
        {({ name, href }, at, { set, remove }) => (
          <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5 sm:grid-cols-[11rem_minmax(0,1fr)_auto]">
            <Input
              className="max-sm:col-span-full"
              aria-label={`Name of link ${at + 1}`}
              required
              placeholder="wiki"
              value={name}
              onChange={(event) => set({ name: event.target.value, href })}
            />
            <Input
              aria-label={`Address of link ${at + 1}`}
              placeholder="https://…"
              value={href}
              onChange={(event) => set({ name, href: event.target.value })}
            />
            <IconButton
              label={`Remove the link ${name === '' ? at + 1 : name}`}
              icon={X}
              onClick={remove}
            />
          </div>
        )}
      </RowList>
      {error !== undefined && (
        <p role="alert" className="user-text text-sm text-critical">
          {error}
        </p>
      )}
    </>
  )
}

interface ParentFieldProps {
  /** Undefined = a new team. */
  id: string | undefined
  /** Empty = none. */
  value: string
  /** The stored parent; undefined = a new team. */
  before: string | undefined
  onChange: (parent: string) => void
}

/** The parent of a team: any other team that is not below it. */
function ParentField({ id, value, before, onChange }: ParentFieldProps) {
  const session = useSession()
  const teams = useTeams() ?? []
  const below = id === undefined ? new Set<string>() : withTeamsBelow(teams, id)
  const leaving = moveReason(session, before)
  const findReason = (parent: string): string | undefined =>
    parent === before ? undefined : may(session, 'TEAM_ADD', parent === '' ? null : parent).reason
  const parents = teams.filter((team) => !below.has(team.id))
  return (
    <ChoiceField
      label="Parent"
      hint={leaving ?? 'Roles in the parent team also apply here.'}
      field="parent"
      disabled={leaving !== undefined}
      value={value}
      choices={[
        { value: '', label: 'No parent', reason: findReason('') },
        ...toTeamChoices(parents, value, findReason),
      ]}
      onChange={onChange}
    />
  )
}

// Moving a team needs the permission to edit its present parent.
function moveReason(session: SignedIn, before: string | undefined): string | undefined {
  if (before === undefined) return undefined
  const { reason } = may(session, 'TEAM_EDIT', before === '' ? null : before)
  return reason === undefined ? undefined : `You cannot move this team. ${reason}`
}
