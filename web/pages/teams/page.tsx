import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { getTypeLabel } from '../../../formats/team/team-type.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { teamTree } from '../../api/team-tree.ts'
import { teamsQuery, type Team } from '../../api/teams.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Combobox } from '../../parts/combobox.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Input } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { StepsStrip } from '../../parts/steps-strip.tsx'
import { toggleKey } from '../../parts/toggle.ts'
import { TreeGrid, type CellProps, type TreeColumn } from '../../parts/tree-grid.tsx'
import { numberText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { teamRows, type TeamRow } from './team-rows.ts'

const URL_STATE = { q: '', type: '', next: '' }

/** All teams of the organization, as a tree. */
export function TeamsPage() {
  const session = useSession()
  const query = useQuery(teamsQuery)
  const create = (
    <ButtonLink
      href={paths.newTeam()}
      look="primary"
      icon={Plus}
      reason={maySomewhere(session, 'TEAM_ADD').reason}
    >
      Create team
    </ButtonLink>
  )
  return (
    <Page title="Teams" actions={create}>
      <JoinSteps />
      <QueryPanel
        title="All teams"
        flush
        query={query}
        skeleton={{ lines: 8 }}
        empty={
          <Empty icon={Users} title="No teams yet" action={create}>
            Every data product and contract belongs to a team. Start with a team for each domain,
            and add the teams of the domain below it: roles in a team also count in the teams below.
          </Empty>
        }
      >
        {(teams) => <Tree teams={teams} />}
      </QueryPanel>
    </Page>
  )
}

// Shown to people who have joined the organization.
function JoinSteps() {
  const [{ next }, setUrl] = useUrlState(URL_STATE)
  const { teams } = useSession()
  if (next === '' || teams.length > 0) return null
  return (
    <StepsStrip
      title="Next: join a team"
      text="Members of a team change its data products and request access for it. Open your team, and ask one of its owners to add you."
      onHide={() => setUrl({ next: '' }, { replace: true })}
    >
      <ButtonLink href={paths.home}>Find data products</ButtonLink>
    </StepsStrip>
  )
}

function Tree({ teams }: { teams: readonly Team[] }) {
  const [{ q, type }, setUrl] = useUrlState(URL_STATE)
  const router = useRouter()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const tree = useMemo(() => teamTree(teams), [teams])
  const rows = useMemo(() => teamRows(tree, { closed, filter: q, type }), [tree, closed, q, type])
  const types = [...new Set(teams.map(getTypeLabel))].toSorted()
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <Input
          type="search"
          aria-label="Filter teams"
          placeholder="Filter by name, id or description"
          value={q}
          onChange={(event) => setUrl({ q: event.target.value }, { replace: true })}
          className="sm:max-w-72"
        />
        <Combobox
          aria-label="Type of team"
          value={type}
          choices={toChoices(types, 'All types')}
          onChange={(next) => setUrl({ type: next })}
          className="w-48"
        />
        <span className="ml-auto text-sm text-muted" aria-live="polite">
          {countText(rows.length, teams.length, q !== '' || type !== '')}
        </span>
      </div>
      {rows.length === 0 ? (
        <Empty title="No teams match">Change the filter or the type, or clear both.</Empty>
      ) : (
        <TreeGrid
          label="Teams"
          rows={rows}
          columns={COLUMNS}
          rowClassName="sm:grid-cols-[minmax(13rem,4fr)_minmax(7rem,2fr)_5rem_minmax(9rem,5fr)]"
          onToggle={({ key }) => setClosed(toggleKey(closed, key))}
          onChoose={({ key }) => router.history.push(paths.team(key))}
        />
      )}
    </>
  )
}

const COLUMNS: readonly TreeColumn<TeamRow>[] = [
  { title: 'Team', cell: (row, props) => <TeamName team={row.team} {...props} /> },
  {
    title: 'Type',
    className: 'max-sm:hidden',
    cell: ({ team }) => <Tag>{getTypeLabel(team)}</Tag>,
  },
  {
    title: 'Own members',
    className: 'figures max-sm:hidden sm:text-right',
    cell: ({ team }) => numberText(team.members?.length ?? 0),
  },
  {
    title: 'Description',
    className: 'max-sm:hidden',
    cell: ({ team }) => (
      <span className="user-text line-clamp-2 text-muted">{team.description}</span>
    ),
  },
]

function TeamName({ team, tabIndex }: { team: Team } & CellProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
      <Avatar name={team.name} id={team.id} kind="team" size="small" />
      <Link href={paths.team(team.id)} tabIndex={tabIndex} className="user-text">
        {team.name}
      </Link>
      {team.id !== team.name && (
        <code className="user-text text-faint max-sm:hidden">{team.id}</code>
      )}
      <span className="text-sm text-muted sm:hidden">{getTypeLabel(team)}</span>
    </span>
  )
}

function countText(shown: number, all: number, isFiltered: boolean): string {
  const noun = all === 1 ? 'team' : 'teams'
  if (isFiltered) return `${numberText(shown)} of ${numberText(all)} ${noun}`
  return `${numberText(all)} ${noun}`
}
