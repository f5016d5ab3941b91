import { Pencil, Plus, Terminal } from 'lucide-react'
import { useState } from 'react'
import { getTypeLabel } from '../../../formats/team/team-type.ts'
import { api } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { teamsAbove } from '../../api/team-tree.ts'
import { useTeams, type Team } from '../../api/teams.ts'
import { AccessPanel } from '../../documents/access/access-panel.tsx'
import { FollowButton } from '../../documents/follow-button.tsx'
import { COMMAND_HINT, Commands } from '../../documents/source-tab.tsx'
import { Avatar } from '../../parts/avatar.tsx'
import { ButtonLink, Button } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Link, NameLink } from '../../parts/link.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { Tag } from '../../parts/status.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { NextStep } from '../../shell/next-step.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { getTeamPermit } from './save-permit.ts'
import { TeamChannels } from './team-channels.tsx'
import { TeamHistory } from './team-history.tsx'
import { TeamMembers } from './team-members.tsx'
import { TeamOwns } from './team-owns.tsx'

const TRAIL = [{ title: 'Teams', href: paths.teams }]

/** A team: its place in the tree, its members, and what it owns. */
export function TeamPage() {
  const id = usePathId() ?? ''
  const query = api.useQuery('get', '/api/teams/{id}', { params: { path: { id } } })
  return (
    <Loaded
      query={query}
      frame={{ title: id, trail: TRAIL }}
      skeleton={{ lines: 8 }}
      missing={
        <MissingThing called="team" action={<Link href={paths.teams}>See all teams</Link>} />
      }
    >
      {(team) => <TeamDetails key={id} team={team} />}
    </Loaded>
  )
}

function TeamDetails({ team }: { team: Team }) {
  const teams = useTeams()
  const above = teamsAbove(teams ?? [], team.id)
  const below = teams?.filter(({ parent }) => parent === team.id)
  return (
    <Page
      title={team.name}
      trail={[...TRAIL, ...above.map(({ id, name }) => ({ title: name, href: paths.team(id) }))]}
      avatar={<Avatar name={team.name} id={team.id} kind="team" size="large" />}
      marks={<Tag>{getTypeLabel(team)}</Tag>}
      facts={
        <>
          <span className="flex min-w-0 items-center gap-1">
            <code className="user-text">{team.id}</code>
            <CopyIcon text={team.id} label="Copy id" />
          </span>
          {team.type === 'Domain' && (
            <Link href={paths.domain(team.id)} className="flex min-h-6 items-center">
              Data products of the domain
            </Link>
          )}
        </>
      }
      actions={
        <>
          <FollowButton kind="team" id={team.id} />
          <Actions team={team} />
        </>
      }
    >
      <NextStep />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid min-w-0 gap-5">
          {(team.description ?? '') !== '' && (
            <p className="user-text max-w-prose whitespace-pre-line">{team.description}</p>
          )}
          <TeamMembers team={team} above={above} />
          <TeamOwns id={team.id} />
          <AccessPanel
            title="Access of the team"
            of={{ list: 'consumer', team: team.id }}
            emptyText="Data that the team and its data products can use appears here."
          />
          <TeamChannels id={team.id} />
        </div>
        <div className="grid min-w-0 gap-5 sm:max-xl:grid-cols-2">
          <SubTeams id={team.id} below={below} />
          <Details team={team} />
          <TeamHistory id={team.id} />
        </div>
      </div>
    </Page>
  )
}

function Actions({ team: { id, members } }: { team: Team }) {
  const session = useSession()
  const permit = getTeamPermit(session, id, members ?? [])
  return (
    <>
      <TeamCommands id={id} />
      <ButtonLink
        href={paths.editTeam(id)}
        icon={Pencil}
        reason={permit.may === 'nothing' ? permit.reason : undefined}
      >
        Edit
      </ButtonLink>
    </>
  )
}

interface SubTeamsProps {
  id: string
  /** Undefined = loading. */
  below: readonly Team[] | undefined
}

function SubTeams({ id, below }: SubTeamsProps) {
  const session = useSession()
  return (
    <Panel
      title="Teams below"
      marks={below === undefined || below.length === 0 ? undefined : below.length}
      actions={
        <ButtonLink
          look="quiet"
          className="-mr-3"
          href={paths.newTeam({ parent: id })}
          icon={Plus}
          reason={may(session, 'TEAM_ADD', id).reason}
        >
          Add
        </ButtonLink>
      }
    >
      {below === undefined ? (
        <Skeleton lines={1} isFlush label="Loading the teams below" />
      ) : below.length === 0 ? (
        <p className="text-muted">
          No teams below. Roles in this team also count in the teams below it.
        </p>
      ) : (
        <ul className="grid gap-1">
          {below.map((team) => (
            <li key={team.id} className="flex flex-wrap items-center gap-x-2">
              <Avatar name={team.name} id={team.id} kind="team" size="small" />
              <NameLink href={paths.team(team.id)} name={team.name} className="flex-1" />
              <span className="text-sm text-muted">{getTypeLabel(team)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Details({ team }: { team: Team }) {
  const links = Object.entries(team.links ?? {})
  const tags = team.tags ?? []
  const custom = Object.entries(team.custom ?? {})
  if (links.length + tags.length + custom.length === 0) return null
  return (
    <Panel title="Details">
      <div className="grid gap-4">
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1">
            {tags.map((tag) => (
              <li key={tag}>
                <Tag>{tag}</Tag>
              </li>
            ))}
          </ul>
        )}
        {links.length > 0 && (
          <ul aria-label="Links" className="grid gap-1">
            {links.map(([name, href]) => (
              <li key={name}>
                <OutsideLink href={String(href)}>{name}</OutsideLink>
              </li>
            ))}
          </ul>
        )}
        {custom.length > 0 && <ValueView value={team.custom} />}
      </div>
    </Panel>
  )
}

/** A button that opens the commands with which a pipeline reads and writes a team. */
function TeamCommands({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={Terminal} onClick={() => setOpen(true)}>
        Command line
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="From the command line"
        description={COMMAND_HINT}
        wide
      >
        <Commands list="/api/teams" id={id} mediaType="application/json" noun="team" />
      </Dialog>
    </>
  )
}
