import type { Answer } from '../../api/client.ts'
import { compareNaturally } from '../../parts/natural-order.ts'

/** One change of a change set. */
export type RunChange = Answer<
  '/ui/integrations/{externalId}/runs/{ingestionRunId}/changes',
  'get'
>[number]

/** Returns the path of a change: where the asset is now, or was. */
export function getPath({ pathAfter, pathBefore, assetId }: RunChange): string {
  return (pathAfter ?? pathBefore ?? [assetId]).join('.')
}

/** Sorts one page of changes by path. The server pages by id, so pages keep their order. */
export function sortByPath(page: readonly RunChange[]): RunChange[] {
  const paths = new Map(page.map((change) => [change, getPath(change)] as const))
  return page.toSorted((a, b) => compareNaturally(paths.get(a) ?? '', paths.get(b) ?? ''))
}
