import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
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
  if (query.data !== undefined) return <EditTeam id={id} stored={query.data} />
  return (
    <Page title={`Edit ${id}`} trail={TRAIL}>
      <Loaded
        query={query}
        skeleton={<Skeleton lines={8} />}
        missing={<Empty title="Team not found">It may have been deleted.</Empty>}
      >
        {() => null}
      </Loaded>
    </Page>
  )
}
