import { api } from '../../api/client.ts'
import { assetWord } from '../../parts/asset-kind.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { DocumentStatus, Tag } from '../../parts/status.tsx'
import { numberText } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'

const SHOWN_MAX = 20

const KINDS = [
  { resourceType: 'DATA_PRODUCT', title: 'Data products', none: 'No data products yet.' },
  { resourceType: 'DATA_CONTRACT', title: 'Data contracts', none: 'No data contracts yet.' },
] as const

const ASSETS = { resourceType: 'DATA_ASSET', title: 'Assets', none: 'No assets yet.' } as const

/** What a team owns: the first of each kind, and a way to all of them. */
export function TeamOwns({ id }: { id: string }) {
  return (
    <Panel title="Owns">
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2">
        {KINDS.map((kind) => (
          <OwnedKind key={kind.resourceType} id={id} {...kind} />
        ))}
        <div className="md:col-span-2">
          <OwnedIntegrations id={id} />
        </div>
        <div className="md:col-span-2">
          <OwnedKind id={id} {...ASSETS} isWide />
        </div>
      </div>
    </Panel>
  )
}

type OwnedKindProps = ((typeof KINDS)[number] | typeof ASSETS) & {
  id: string
  /** Whether there is room for two columns. */
  isWide?: boolean
}

function OwnedKind({ id, resourceType, title, none, isWide = false }: OwnedKindProps) {
  const asked = { resourceType: [resourceType], teamId: [id], limit: SHOWN_MAX, facets: false }
  const query = api.useQuery('get', '/api/search', { params: { query: asked } })
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-sm text-muted">
        {title}
        {query.data !== undefined && ` · ${numberText(query.data.total)}`}
      </h3>
      <Loaded query={query} skeleton={<Skeleton lines={2} isFlush />}>
        {({ results, total }) => (
          <>
            {total === 0 && <p className="text-muted">{none}</p>}
            <ul className={classNames('gap-x-8', isWide ? 'md:columns-2' : '')}>
              {results.map(({ id: owned, name, status, type }) => (
                <li key={owned} className="flex min-w-0 flex-wrap items-center gap-x-2 py-0.5">
                  <Link href={pathOfResource(resourceType, owned)} className="user-text">
                    {name}
                  </Link>
                  <DocumentStatus status={status} />
                  {resourceType === 'DATA_ASSET' && type !== null && <Tag>{assetWord(type)}</Tag>}
                </li>
              ))}
            </ul>
            {total > results.length && (
              <p className="mt-1">
                <Link href={paths.search({ resourceType, teamId: id })}>
                  All {numberText(total)}
                </Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

function OwnedIntegrations({ id }: { id: string }) {
  const query = api.useQuery('get', '/api/integrations/ingest', {
    params: { query: { owningTeamExternalId: id } },
  })
  return (
    <section aria-label="Integrations">
      <h3 className="mb-1 text-sm text-muted">
        Integrations{query.data !== undefined && ` · ${numberText(query.data.length)}`}
      </h3>
      <Loaded query={query} skeleton={<Skeleton lines={2} isFlush />}>
        {(integrations) => (
          <>
            {integrations.length === 0 && <p className="text-muted">No integrations yet.</p>}
            <ul className="grid gap-1">
              {integrations.slice(0, SHOWN_MAX).map(({ externalId, name, source }) => (
                <li key={externalId} className="flex min-w-0 flex-wrap items-center gap-x-2">
                  <Link href={paths.integration(externalId)} className="user-text">
                    {name}
                  </Link>
                  <Tag>{source}</Tag>
                </li>
              ))}
            </ul>
            {integrations.length > SHOWN_MAX && (
              <p className="mt-1">
                <Link href={paths.integrations}>All {numberText(integrations.length)}</Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
