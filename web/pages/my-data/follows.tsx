import { Star } from 'lucide-react'
import type { Answer } from '../../api/client.ts'
import { api } from '../../api/client.ts'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { ResourceIcon } from '../../parts/resource-icon.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

type Follow = Answer<'/ui/follows', 'get'>[number]

/** The list of what a person follows or has muted. */
export function Follows() {
  const follows = api.useQuery('get', '/ui/follows', {})
  return (
    <section aria-label="Following" className="rounded-lg border border-line bg-surface">
      <Loaded
        query={follows}
        skeleton={{ lines: 5, label: 'Loading what you follow' }}
        empty={
          <Empty
            icon={Star}
            title="You follow nothing yet"
            action={<Link href={paths.home}>Find data products</Link>}
          >
            Star a data product to be notified of its changes.
          </Empty>
        }
      >
        {(list) => (
          <ul className="divide-y divide-line">
            {list.map((follow) => (
              <FollowItem key={`${follow.kind} ${follow.id}`} follow={follow} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

const RESOURCE_TYPES: Readonly<Record<Follow['kind'], string>> = {
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  team: 'TEAM',
  search: 'SEARCH',
}

function toHref({ kind, id }: Follow): string {
  if (kind === 'data-product') return paths.dataProduct(id)
  if (kind === 'data-contract') return paths.dataContract(id)
  return kind === 'team' ? paths.team(id) : `${paths.search()}?${id}`
}

function FollowItem({ follow }: { follow: Follow }) {
  const { kind, id, name, muted, followedAt } = follow
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
      <ResourceIcon resourceType={RESOURCE_TYPES[kind]} />
      <NameLink
        href={toHref(follow)}
        className="min-w-0 flex-1"
        name={name ?? (kind === 'search' ? (new URLSearchParams(id).get('query') ?? id) : id)}
        lines={1}
      />
      {muted && <Status tone="off">Muted</Status>}
      <span className="text-sm text-muted">
        Since <Time at={followedAt} />
      </span>
    </li>
  )
}
