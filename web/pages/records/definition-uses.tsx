import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'

/** The data contracts that name a definition, each with its models and fields. */
export function DefinitionUses({ id }: { id: string }) {
  const list = api.useInfiniteQuery(
    'get',
    '/ui/definitions/uses',
    { params: { query: { id } } },
    { ...BY_NEXT, initialPageParam: '' },
  )
  return (
    <QueryPanel
      title="Where used"
      query={list}
      empty={<NotUsed id={id} />}
      isEmpty={({ pages }) => pages[0]?.total === 0}
    >
      {({ pages }) => (
        <>
          <p className="mb-3 text-muted">{countText(pages[0]?.total ?? 0, 'data contract')}</p>
          <ul className="grid gap-4">
            {pages
              .flatMap(({ uses }) => uses)
              .map((use) => (
                <li key={use.contractId} className="min-w-0">
                  <div className="flex flex-wrap items-baseline gap-x-3">
                    <Link
                      href={paths.dataContract(use.contractId)}
                      className="user-text font-medium"
                    >
                      {use.contractName}
                    </Link>
                    {use.ownerId !== null && <TeamLink id={use.ownerId} />}
                  </div>
                  <Places names={use.places} count={use.placeCount} />
                </li>
              ))}
          </ul>
        </>
      )}
    </QueryPanel>
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
