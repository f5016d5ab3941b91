import { api, type Schemas } from '../../api/client.ts'
import { Link, NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { countText } from '../../parts/number-text.ts'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

type AssetPromise = Schemas['AssetPromises']['promises'][number]

/** The contracts that promise an asset, and whether it keeps them. */
export function PromisedByPanel({ id }: { id: string }) {
  const query = api.useQuery('get', '/ui/assets/{id}/promises', { params: { path: { id } } })
  return (
    <QueryPanel
      title="Promised by"
      flush
      query={query}
      skeleton={{ lines: 2, label: 'Loading the contracts' }}
      isEmpty={({ promises }) => promises.length === 0}
      empty={
        <p className="p-4 text-muted">
          No data contract promises this asset.{' '}
          <Link href={paths.guide('reality')}>How contracts find their tables</Link>
        </p>
      }
    >
      {({ promises, hasMore }) => (
        <>
          <ul className="divide-y divide-line">
            {promises.map((promise) => (
              <li
                key={`${promise.dataContractId} ${promise.server} ${promise.model}`}
                className="grid gap-0.5 px-4 py-2.5"
              >
                <Promised promise={promise} />
              </li>
            ))}
          </ul>
          <p className="border-t border-line px-4 py-2 text-sm">
            <Link href={paths.drift({ asset: id })} className="inline-flex min-h-6 items-center">
              {hasMore ? 'All differences; more contracts promise it' : 'Differences of this asset'}
            </Link>
          </p>
        </>
      )}
    </QueryPanel>
  )
}

function Promised({ promise }: { promise: AssetPromise }) {
  const { dataContractId, dataContractName, server, isProduction, model, comparedAt } = promise
  const { word, tone } = getWord(promise)
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <NameLink
          href={paths.dataContract(dataContractId, { view: 'reality' })}
          name={dataContractName}
          lines={2}
        />
        <Status tone={tone}>{word}</Status>
      </span>
      <span className="user-text text-sm text-muted">
        As <code>{model}</code> on {server}
        {!isProduction && ', which does not count'}
        {comparedAt !== null && (
          <>
            , compared <Time at={comparedAt} />
          </>
        )}
      </span>
    </>
  )
}

function getWord({ breaking, accepted, comparedAt }: AssetPromise) {
  if (breaking > 0) {
    return { word: countText(breaking, 'breaking difference'), tone: 'critical' } as const
  }
  if (accepted > 0) return { word: 'Accepted differences', tone: 'caution' } as const
  if (comparedAt === null) return { word: 'Not compared', tone: 'neutral' } as const
  return { word: 'As promised', tone: 'positive' } as const
}
