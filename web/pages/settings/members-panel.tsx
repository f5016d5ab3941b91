import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { sortByDate, sortByName } from '../../parts/sort-rows.ts'
import { SortedTable, type SortedColumn } from '../../parts/table-sort.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { ChangeRoleDialog, RemoveMemberDialog } from './member-dialogs.tsx'
import { memberReasons, membersMatching, type Member, type MemberReasons } from './member-rules.ts'
import { MemberSessionsDialog } from './member-sessions-dialog.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'

const USUAL = { q: '', sort: '' }
const SHOWN_STEP = 100
const TEAMS_SHOWN = 4

type Asked = { what: 'role' | 'reset' | 'sessions' | 'remove' | 'erase'; member: Member }

/** The members of the organization, with a filter by name, address or team. */
export function MembersPanel({ members }: { members: readonly Member[] }) {
  const { user, organization } = useSession()
  const [{ q, sort }, setUrl] = useUrlState(USUAL)
  const [shownMax, setShownMax] = useState(SHOWN_STEP)
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const found = membersMatching(members, q)
  const person = { id: user.id, isOwner: organization?.role === 'Owner' }
  const columns = getColumns({
    personId: user.id,
    getReasons: (member) => memberReasons(members, member, person),
    onAsk: setAsked,
  })
  return (
    <Panel
      title="Members"
      marks={
        found.length === members.length
          ? numberText(members.length)
          : `${found.length} of ${members.length}`
      }
      actions={
        <SearchField
          label="Filter members"
          placeholder="Name, address, team"
          className="w-56"
          value={q}
          onChange={(next) => setUrl({ q: next }, { replace: true })}
        />
      }
      flush
    >
      {found.length === 0 ? (
        <Empty
          title="No members match"
          action={<Button onClick={() => setUrl({ q: '' })}>Show all</Button>}
        >
          No name, address or team contains "{q}".
        </Empty>
      ) : (
        <SortedTable
          label="Members"
          columns={columns}
          rows={found}
          max={shownMax}
          sort={sort}
          onSort={(next) => setUrl({ sort: next })}
          getKey={({ userId }) => userId}
        />
      )}
      {found.length > shownMax && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => setShownMax(shownMax + SHOWN_STEP)}>
            Show {Math.min(SHOWN_STEP, found.length - shownMax)} more
          </Button>
        </div>
      )}
      {asked !== undefined && <MemberDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </Panel>
  )
}

function MemberDialog({ asked: { what, member }, onClose }: { asked: Asked; onClose: () => void }) {
  if (what === 'role') return <ChangeRoleDialog member={member} onClose={onClose} />
  if (what === 'reset') return <ResetLinkDialog member={member} onClose={onClose} />
  if (what === 'sessions') return <MemberSessionsDialog member={member} onClose={onClose} />
  if (what === 'erase') return <EraseDialog member={member} onClose={onClose} />
  return <RemoveMemberDialog member={member} onClose={onClose} />
}

interface ColumnsNeed {
  personId: string
  getReasons: (member: Member) => MemberReasons
  onAsk: (asked: Asked) => void
}

function getColumns({ personId, getReasons, onAsk }: ColumnsNeed): SortedColumn<Member>[] {
  return [
    {
      title: 'Name',
      sort: sortByName(({ name }) => name),
      className: 'min-w-44 max-w-80',
      cell: (member) => <Name member={member} isSelf={member.userId === personId} />,
    },
    { title: 'Role', cell: (member) => <Role member={member} /> },
    {
      title: 'Teams',
      className: 'min-w-40 max-w-96',
      cell: ({ teams }) => <Teams teams={teams} />,
    },
    {
      title: 'Joined',
      sort: sortByDate('joined', 'Joined', ({ joinedAt }) => joinedAt),
      cell: ({ joinedAt, origin }) => (
        <>
          <Time at={joinedAt} />
          <span className="block text-sm text-muted">{ORIGINS[origin]}</span>
        </>
      ),
    },
    {
      title: 'Last seen',
      sort: sortByDate('last-seen', 'Last seen', ({ lastSeenAt }) => lastSeenAt),
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <span className="text-muted">never</span> : <Time at={lastSeenAt} />,
    },
    {
      title: 'Actions',
      align: 'right',
      isAction: true,
      cell: (member) => (
        <MemberMenu
          member={member}
          isSelf={member.userId === personId}
          reasons={getReasons(member)}
          onAsk={onAsk}
        />
      ),
    },
  ]
}

function Name({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const { name, email, userId, suspendedAt } = member
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={name} id={`user:${userId}`} kind="person" />
      <span className="min-w-0">
        <span className="user-text line-clamp-2 font-medium">
          {name}
          {isSelf && <span className="ml-2 text-xs font-normal text-muted">You</span>}
          {suspendedAt !== null && (
            <span className="ml-2">
              <Status tone="off">Suspended</Status>
            </span>
          )}
        </span>
        <span className="user-text line-clamp-2 text-sm text-muted">{email}</span>
      </span>
    </span>
  )
}

const ORIGINS = {
  invitation: 'by invitation',
  provider: 'by sign-in provider',
  directory: 'by directory',
} as const satisfies Record<Member['origin'], string>

function Role({ member: { role, ownRole, ownerGroups, suspendedAt } }: { member: Member }) {
  if (suspendedAt !== null) return <span className="text-muted">none</span>
  return (
    <>
      {role}
      {ownRole !== 'Owner' && ownerGroups.length > 0 && <ByGroup group={ownerGroups.join(', ')} />}
    </>
  )
}

function ByGroup({ group }: { group: string }) {
  return <span className="user-text block text-sm text-muted">by group {group}</span>
}

function Teams({ teams }: { teams: Member['teams'] }) {
  if (teams.length === 0) return <span className="text-muted">none</span>
  return (
    <ul className="grid gap-0.5">
      {teams.slice(0, TEAMS_SHOWN).map(({ id, name, role, group }) => (
        <li key={`${id} ${role} ${group ?? ''}`} className="user-text line-clamp-2">
          <Link href={paths.team(id)}>{name}</Link>{' '}
          <span className="text-sm text-muted">
            {role}
            {group !== null && ` by group ${group}`}
          </span>
        </li>
      ))}
      {teams.length > TEAMS_SHOWN && (
        <li className="text-sm text-muted">and {teams.length - TEAMS_SHOWN} more</li>
      )}
    </ul>
  )
}

interface MemberMenuProps {
  member: Member
  isSelf: boolean
  reasons: MemberReasons
  onAsk: (asked: Asked) => void
}

function MemberMenu({ member, isSelf, reasons, onAsk }: MemberMenuProps) {
  return (
    <Menu
      trigger={<IconButton label={`Actions for ${member.name}`} icon={Ellipsis} iconSize={16} />}
    >
      <MenuItem reason={reasons.changeRole} onSelect={() => onAsk({ what: 'role', member })}>
        {member.ownRole === 'Owner' ? 'Make member' : 'Make owner'}
      </MenuItem>
      <MenuItem reason={reasons.resetPassword} onSelect={() => onAsk({ what: 'reset', member })}>
        Reset password
      </MenuItem>
      <MenuItem reason={reasons.sessions} onSelect={() => onAsk({ what: 'sessions', member })}>
        Sessions
      </MenuItem>
      <MenuLine />
      <MenuItem danger reason={reasons.remove} onSelect={() => onAsk({ what: 'remove', member })}>
        {isSelf ? 'Leave organization' : 'Remove from organization'}
      </MenuItem>
      <MenuItem danger reason={reasons.erase} onSelect={() => onAsk({ what: 'erase', member })}>
        Erase person
      </MenuItem>
    </Menu>
  )
}
