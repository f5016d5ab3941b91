import { useQuery } from '@tanstack/react-query'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { EditTeam } from './edit-team.tsx'
import { NewTeam } from './new-team.tsx'
import { readTeam } from './stored-team.ts'

const NEW = { parent: '' }
const TRAIL = [{ title: 'Teams', href: paths.teams }]

/** Creates a team, or changes one. */
export function EditTeamPage() {
  const id = usePathId()
  const [{ parent }] = useUrlState(NEW)
  return id === undefined ? <NewTeam key={parent} parent={parent} /> : <Stored key={id} id={id} />
}

function Stored({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['team', id, 'document'],
    queryFn: async ({ signal }) => await readTeam(id, signal),
  })
  return (
    <Loaded
      query={query}
      frame={{ title: `Edit ${id}`, trail: TRAIL }}
      skeleton={{ lines: 8 }}
      missing={
        <MissingThing called="team" action={<Link href={paths.teams}>See all teams</Link>} />
      }
    >
      {(stored) => <EditTeam id={id} stored={stored} />}
    </Loaded>
  )
}
