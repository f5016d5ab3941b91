import { api } from '../../api/client.ts'
import { LatestTest } from '../../documents/test-outcome.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { StackedFacts } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'

/** The newest test result for each server of a contract. */
export function TestsPanel({ id }: { id: string }) {
  const query = api.useQuery('get', '/ui/datacontracts/{id}/test-results', {
    params: { path: { id } },
  })
  return (
    <QueryPanel
      title="Tests"
      actions={
        <Link
          href={paths.testResults({ dataContractId: id })}
          className="flex min-h-6 items-center text-sm"
        >
          All results
        </Link>
      }
      query={query}
      empty={
        <p className="text-muted">
          No results yet. Publish them from CI, for example with{' '}
          <code>datacontract test --publish</code>.
        </p>
      }
    >
      {(results) => (
        <StackedFacts
          facts={results.map((result) => [
            result.server || 'No server',
            <LatestTest key={result.id} result={result} />,
          ])}
        />
      )}
    </QueryPanel>
  )
}
