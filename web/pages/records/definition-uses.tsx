import { api } from '../../api/client.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'

/** The data contracts that name a definition, each with its models and fields. */
export function DefinitionUses({ id }: { id: string }) {
  const list = api.useInfiniteQuery(
    'get',
    '/ui/definitions/uses',
    { params: { query: { id } } },
    { pageParamName: 'after', initialPageParam: '', getNextPageParam: ({ next }) => next },
  )
  return (
    <Panel title="Where used">
      <Loaded query={list}>
        {({ pages }) => {
          const uses = pages.flatMap((page) => page.uses)
          if (uses.length === 0) return <NotUsed id={id} />
          return (
            <>
              <p className="mb-3 text-muted">{countText(pages[0]?.total ?? 0, 'data contract')}</p>
              <ul className="grid gap-4">
                {uses.map(({ contractId, contractName, ownerId, places, placeCount }) => (
                  <li key={contractId} className="min-w-0">
                    <div className="flex flex-wrap items-baseline gap-x-3">
                      <Link href={paths.dataContract(contractId)} className="user-text font-medium">
                        {contractName}
                      </Link>
                      {ownerId !== null && <TeamLink id={ownerId} />}
                    </div>
                    <Places names={places} count={placeCount} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
      {list.hasNextPage && (
        <Button
          className="mt-4"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Panel>
  )
}

function Places({ names, count }: { names: readonly string[]; count: number }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
      {names.map((name) => (
        <li key={name} className="min-w-0">
          {name === '' ? 'The contract itself' : <code className="user-text">{name}</code>}
        </li>
      ))}
      {count > names.length && <li>and {count - names.length} more</li>}
    </ul>
  )
}

function NotUsed({ id }: { id: string }) {
  return (
    <p className="text-muted">
      No data contract names this definition. To use it for a field, add{' '}
      <code className="user-text">/api/definitions/{id}</code> to its authoritative definitions.
    </p>
  )
}
