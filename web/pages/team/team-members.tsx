import { api } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import type { Team } from '../../api/teams.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { NameLink } from '../../parts/link.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths } from '../../paths.ts'
import { listPeople, type TeamPerson } from './team-roles.ts'

interface Row extends TeamPerson {
  /** The principal and the name of a member of the organization; undefined = not one, or loading. */
  account: { id: string; name: string; isSuspended: boolean } | undefined
  isLoading: boolean
}

interface TeamMembersProps {
  team: Team
  /** The teams above, outermost first. */
  above: readonly Team[]
}

/** The people with a role in a team, whether it is theirs here or comes from a team above. */
export function TeamMembers({ team, above }: TeamMembersProps) {
  const session = useSession()
  const people = api.useQuery('get', '/ui/members')
  const accounts = new Map(
    people.data?.map(({ email, name, userId, suspendedAt }) => [
      email.toLowerCase(),
      { id: `user:${userId}`, name, isSuspended: suspendedAt !== null },
    ]),
  )
  const rows = listPeople(team, above, people.data).map((person) => ({
    ...person,
    account: accounts.get(person.emailAddress.toLowerCase()),
    isLoading: people.data === undefined,
  }))
  const own = team.members?.length ?? 0
  return (
    <Panel
      title="Members"
      marks={rows.length === 0 ? undefined : rows.length}
      flush
      actions={
        rows.length > 0 &&
        own === 0 &&
        rows.every(({ roles }) => roles.every(({ from }) => from !== undefined)) && (
          <span className="text-sm text-muted">Roles come from the teams above</span>
        )
      }
    >
      {rows.length === 0 ? (
        <Empty
          title="No members yet"
          action={
            <ButtonLink
              href={paths.editTeam(team.id)}
              reason={may(session, 'TEAM_MEMBER_ADD', team.id).reason}
            >
              Add members
            </ButtonLink>
          }
        >
          Add people by e-mail address. Owners manage the team, and Editors change its data products
          and contracts.
        </Empty>
      ) : (
        <Table
          label="Members of the team"
          rows={rows}
          columns={COLUMNS}
          getKey={({ emailAddress }) => emailAddress}
        />
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Member', cell: (row) => <Person row={row} /> },
  { title: 'Role', cell: ({ roles }) => <Roles roles={roles} /> },
]

function Person({ row: { emailAddress, account, isLoading } }: { row: Row }) {
  const key = emailAddress.toLowerCase()
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={account?.name ?? emailAddress} id={account?.id ?? key} kind="person" />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2">
          <span className="user-text">{account?.name ?? emailAddress}</span>
          {account?.isSuspended === true && <Status tone="off">Suspended</Status>}
          {account === undefined && !isLoading && (
            <Status tone="draft">not in the organization yet</Status>
          )}
        </span>
        {account !== undefined && (
          <span className="user-text block text-sm text-muted">{emailAddress}</span>
        )}
      </span>
    </span>
  )
}

function Roles({ roles }: { roles: Row['roles'] }) {
  return (
    <ul className="grid gap-0.5">
      {roles.map(({ role, from, group }) => (
        <li
          key={`${role} ${from?.id ?? ''} ${group ?? ''}`}
          className="flex flex-wrap items-center gap-x-1.5"
        >
          <Tag>{role}</Tag>
          {group !== undefined && (
            <span className="user-text text-sm text-muted">by group {group}</span>
          )}
          {from !== undefined && (
            <span className="flex items-center gap-x-1 text-sm text-muted">
              from
              <NameLink href={paths.team(from.id)} name={from.name} lines={1} />
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
