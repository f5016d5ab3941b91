import { X } from 'lucide-react'
import { useId } from 'react'
import { api } from '../../api/client.ts'
import { useTeamRoleNames } from '../../api/team-roles.ts'
import { IconButton } from '../../parts/button.tsx'
import { toChoices, type Choice } from '../../parts/choices.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { useFieldError } from '../../parts/field.tsx'
import { RowList } from '../../parts/row-list.tsx'
import type { FormMember } from './team-form-values.ts'

interface MembersFieldProps {
  members: readonly FormMember[]
  onChange: (members: readonly FormMember[]) => void
}

/** The members of a team, by e-mail address, each with a role. */
export function MembersField({ members, onChange }: MembersFieldProps) {
  const { data = [] } = api.useQuery('get', '/ui/members')
  const roles = toChoices(useTeamRoleNames())
  const people = data.map(({ email, name }) => ({ value: email, label: name, detail: email }))
  return (
    <RowList
      title="Members"
      hint="An address need not belong to the organization yet: the role counts as soon as it does."
      rows={members}
      addLabel="Add member"
      newRow={{ emailAddress: '', role: 'Member', kept: {} }}
      onChange={onChange}
    >
      {(member, at, { set, remove }) => (
        <MemberRow
          member={member}
          at={at}
          people={people}
          roles={roles}
          onChange={set}
          onRemove={remove}
        />
      )}
    </RowList>
  )
}

interface MemberRowProps {
  member: FormMember
  at: number
  people: readonly Choice[]
  roles: readonly Choice[]
  onChange: (member: FormMember) => void
  onRemove: () => void
}

function MemberRow({ member, at, people, roles, onChange, onRemove }: MemberRowProps) {
  const errorId = useId()
  const error = useFieldError(`members[${at}]`)
  const shown = member.emailAddress === '' ? `member ${at + 1}` : member.emailAddress
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5 sm:grid-cols-[minmax(0,1fr)_11rem_auto]">
        <Combobox
          className="max-sm:col-span-full"
          aria-label={`E-mail address of member ${at + 1}`}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : errorId}
          required
          allowsOther
          choices={people}
          placeholder="name@example.org"
          value={member.emailAddress}
          onChange={(emailAddress) => onChange({ ...member, emailAddress })}
        />
        <Combobox
          aria-label={`Role of ${shown}`}
          allowsOther
          choices={roles}
          placeholder="Member"
          value={member.role}
          onChange={(role) => onChange({ ...member, role })}
        />
        <IconButton label={`Remove ${shown}`} icon={X} onClick={onRemove} />
      </div>
      {error !== undefined && (
        <div id={errorId} role="alert" className="user-text text-sm text-critical">
          {error}
        </div>
      )}
    </>
  )
}
