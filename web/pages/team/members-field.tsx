import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { api } from '../../api/client.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { errorOf, Input } from '../../parts/field.tsx'
import { useListFocus } from '../../parts/list-focus.ts'
import { TEAM_ROLES, type FormMember } from './team-form-values.ts'

interface MembersFieldProps {
  members: readonly FormMember[]
  violations: readonly { field: string; message: string }[]
  onChange: (members: readonly FormMember[]) => void
}

/** The members of a team, by e-mail address, each with a role. */
export function MembersField({ members, violations, onChange }: MembersFieldProps) {
  const lists = useId()
  const people = api.useQuery('get', '/ui/members').data ?? []
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
                lists={lists}
                error={errorOf(violations, `members[${at}]`)}
                onChange={(next) => onChange(members.with(at, next))}
                onRemove={() => remove(at)}
              />
            ))}
          </ul>
        )}
        <Button
          data-add
          className="justify-self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={add}
        >
          Add a member
        </Button>
      </div>
      <datalist id={`${lists}people`}>
        {people.map(({ userId, email, name }) => (
          <option key={userId} value={email}>
            {name}
          </option>
        ))}
      </datalist>
      <datalist id={`${lists}roles`}>
        {TEAM_ROLES.map((role) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </datalist>
    </fieldset>
  )
}

interface MemberRowProps {
  member: FormMember
  at: number
  lists: string
  error: string | undefined
  onChange: (member: FormMember) => void
  onRemove: () => void
}

function MemberRow({ member, at, lists, error, onChange, onRemove }: MemberRowProps) {
  const errorId = `${lists}error${at}`
  const shown = member.emailAddress === '' ? `member ${at + 1}` : member.emailAddress
  return (
    <li data-item className="grid gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-1.5 sm:grid-cols-[minmax(0,1fr)_11rem_auto]">
        <Input
          className="max-sm:col-span-full"
          aria-label={`E-mail address of member ${at + 1}`}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : errorId}
          type="email"
          required
          list={`${lists}people`}
          placeholder="name@example.org"
          value={member.emailAddress}
          onChange={(event) => onChange({ ...member, emailAddress: event.target.value })}
        />
        <Input
          aria-label={`Role of ${shown}`}
          list={`${lists}roles`}
          placeholder="Member"
          value={member.role}
          onChange={(event) => onChange({ ...member, role: event.target.value })}
        />
        <IconButton
          label={`Remove ${shown}`}
          icon={<X size={14} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      {error !== undefined && (
        <div id={errorId} role="alert" className="user-text text-sm text-critical">
          {error}
        </div>
      )}
    </li>
  )
}
