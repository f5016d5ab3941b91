import { useQuery } from '@tanstack/react-query'
import type { OutputPort } from '../../../formats/data-product/data-product.ts'
import { api } from '../../api/client.ts'
import { LatestTest } from '../../documents/test-outcome.tsx'
import { findPortTest } from './find-port-test.ts'

/** Returns the query for the newest test results of a product's output ports. */
export function portTestsQuery(id: string) {
  return api.queryOptions('get', '/ui/dataproducts/{id}/test-results', {
    params: { path: { id } },
  })
}

/** The newest test result of an output port that has a contract. */
export function PortTest({ productId, port }: { productId: string; port: OutputPort }) {
  const { data: results } = useQuery(portTestsQuery(productId))
  if (results === undefined) return <span className="text-faint">…</span>
  const result = findPortTest(results, port)
  if (result === undefined) return <span className="text-muted">No results</span>
  return <LatestTest result={result} />
}
