import { api } from '../../api/client.ts'
import { BY_NEXT } from '../../api/next-page.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { assetWord } from '../../parts/asset-kind.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { resourceWord } from '../../parts/resource-types.ts'
import { pathOfResource, paths } from '../../paths.ts'

const DOCUMENTS_SHOWN_MAX = 20

/** The assets to which a tag is assigned, and the documents that name it themselves. */
export function TagUses({ id }: { id: string }) {
  return (
    <>
      <TaggedAssets id={id} />
      <TaggedDocuments id={id} />
    </>
  )
}

function TaggedAssets({ id }: { id: string }) {
  const query = api.useQuery('get', '/ui/tagged-assets', { params: { query: { tag: id } } })
  return (
    <QueryPanel
      title="Assigned to"
      query={query}
      empty={<p className="text-muted">This tag is not assigned to any asset.</p>}
      isEmpty={({ total }) => total === 0}
    >
      {({ total, assets }) => (
        <>
          <p className="mb-3 text-muted">{countText(total, 'asset')}</p>
          <ul className="grid gap-1.5">
            {assets.map((asset) => (
              <li key={asset.id} className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                <Link href={paths.asset(asset.id)} className="user-text">
                  {asset.name}
                </Link>
                <span className="user-text text-muted">{assetWord(asset.type)}</span>
              </li>
            ))}
            {total > assets.length && (
              <li className="text-muted">and {total - assets.length} more</li>
            )}
          </ul>
        </>
      )}
    </QueryPanel>
  )
}

function TaggedDocuments({ id }: { id: string }) {
  const params = { query: { tag: [id], limit: DOCUMENTS_SHOWN_MAX, facets: false } }
  const query = api.useQuery('get', '/api/search', { params })
  return (
    <QueryPanel
      title="Used in"
      query={query}
      empty={<p className="text-muted">No document uses this tag.</p>}
      isEmpty={({ total }) => total === 0}
    >
      {({ total, results }) => (
        <>
          <p className="mb-3">
            <Link href={paths.search({ tag: id })}>{countText(total, 'document')}</Link>
          </p>
          <ul className="grid gap-1.5">
            {results.map((result) => (
              <li
                key={`${result.resourceType} ${result.id}`}
                className="flex min-w-0 flex-wrap items-baseline gap-x-3"
              >
                <Link href={pathOfResource(result.resourceType, result.id)} className="user-text">
                  {result.name}
                </Link>
                <span className="text-muted">{resourceWord(result.resourceType)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </QueryPanel>
  )
}

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
