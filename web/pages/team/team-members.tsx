import { api } from '../../api/client.ts'
import type { Team } from '../../api/teams.ts'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { may, useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'

type Member = NonNullable<Team['members']>[number]

interface NamedMember extends Member {
  /** As it is known in the organization; undefined = nobody of this address is a member. */
  name: string | undefined
}

/** Who is in a team, with their roles; by name where they are members of the organization. */
export function TeamMembers({ members, teamId }: { members: readonly Member[]; teamId: string }) {
  const session = useSession()
  const people = api.useQuery('get', '/ui/members')
  const names = new Map(people.data?.map(({ email, name }) => [email.toLowerCase(), name]))
  const rows = members.map((member) => ({
    ...member,
    name: names.get(member.emailAddress.toLowerCase()),
  }))
  return (
    <Panel title="Members" marks={members.length === 0 ? undefined : members.length} flush>
      {rows.length === 0 ? (
        <Empty
          title="Nobody is in this team"
          action={
            <ButtonLink
              href={paths.editTeam(teamId)}
              reason={may(session, 'TEAM_EDIT', teamId).reason}
            >
              Add members
            </ButtonLink>
          }
        >
          Add people by their e-mail address. An Owner may do everything here, an Editor changes
          data products and contracts, a Member reads them.
        </Empty>
      ) : (
        <Table
          label="Members of the team"
          rows={rows}
          columns={[...COLUMNS, standing(people.data === undefined)]}
          keyOf={(member) => `${member.emailAddress} ${member.role}`}
        />
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<NamedMember>[] = [
  { title: 'Member', cell: (member) => <Person member={member} /> },
  { title: 'Role', cell: ({ role }) => <Tag>{role ?? 'Member'}</Tag> },
]

// It has its place before it is known, so that nothing moves when it is.
function standing(isUnknown: boolean): Column<NamedMember> {
  return {
    title: 'In the organization',
    cell: ({ name }) =>
      name === undefined ? (
        <span className="text-muted">{isUnknown ? '…' : 'not yet'}</span>
      ) : (
        'yes'
      ),
  }
}

function Person({ member: { name, emailAddress } }: { member: NamedMember }) {
  if (name === undefined) return <span className="user-text">{emailAddress}</span>
  return (
    <>
      <span className="user-text block">{name}</span>
      <span className="user-text block text-sm text-muted">{emailAddress}</span>
    </>
  )
}
