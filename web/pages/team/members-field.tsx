import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import type { Choice } from '../../parts/choices.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { findFieldError } from '../../parts/field.tsx'
import { useListFocus } from '../../parts/list-focus.ts'
import { type FormMember } from './team-form-values.ts'
import { TEAM_ROLES } from '../../../formats/team/team-type.ts'

interface MembersFieldProps {
  members: readonly FormMember[]
  violations: readonly { field: string; message: string }[]
  onChange: (members: readonly FormMember[]) => void
}

/** The members of a team, by e-mail address, each with a role. */
export function MembersField({ members, violations, onChange }: MembersFieldProps) {
  const { data } = api.useQuery('get', '/ui/members')
  const people = (data ?? []).map(({ email, name }) => ({
    value: email,
    label: name,
    detail: email,
  }))
  const [place, focusNext] = useListFocus<HTMLDivElement>(members.length)
  const add = (): void => {
    focusNext('last')
    onChange([...members, { emailAddress: '', role: 'Member', kept: {} }])
  }
  const remove = (at: number): void => {
    focusNext('add')
    onChange(members.toSpliced(at, 1))
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Members</legend>
      <p className="text-sm text-muted">
        An address need not belong to the organization yet: the role counts as soon as it does.
      </p>
      <div ref={place} className="grid gap-2">
        {members.length > 0 && (
          <ul className="grid gap-2">
            {members.map((member, at) => (
              <MemberRow
                key={`${at}`}
                member={member}
                at={at}
                people={people}
                error={findFieldError(violations, `members[${at}]`)}
                onChange={(next) => onChange(members.with(at, next))}
                onRemove={() => remove(at)}
              />
            ))}
          </ul>
        )}
        <Button data-add className="justify-self-start" icon={Plus} onClick={add}>
          Add a member
        </Button>
      </div>
    </fieldset>
  )
}

const ROLES = TEAM_ROLES.map((role) => ({ value: role, label: role }))

interface MemberRowProps {
  member: FormMember
  at: number
  people: readonly Choice[]
  error: string | undefined
  onChange: (member: FormMember) => void
  onRemove: () => void
}

function MemberRow({ member, at, people, error, onChange, onRemove }: MemberRowProps) {
  const errorId = useId()
  const shown = member.emailAddress === '' ? `member ${at + 1}` : member.emailAddress
  return (
    <li data-item className="grid gap-1">
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
          choices={ROLES}
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
    </li>
  )
}
