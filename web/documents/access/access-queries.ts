import { keepPreviousData } from '@tanstack/react-query'
import { api, type Schemas } from '../../api/client.ts'
import { forPeople } from '../../api/for-people.ts'
import { MESSAGES } from '../../api/messages.ts'
import type { ShownProblem } from '../../parts/notice.tsx'
import type { Refresh } from '../../shell/action.ts'

/** The access to a data product. */
export type AccessSummary = Schemas['AccessSummary']

/** The maximum number of readers of a data product that the server counts. */
export const READERS_MAX = 200

/** The outcome of one of several requests or decisions. */
export type AccessOutcome = Schemas['AccessOutcome']

const CHANGED = ['/ui/access', '/ui/home']

/** Everything that shows agreements. */
export const ACCESS_DATA: Refresh = [
  {
    predicate: ({ queryKey: [, path] }) =>
      typeof path === 'string' && CHANGED.some((one) => path.startsWith(one)),
  },
]

/** Returns the query for the access to data products, in their order. */
export function summariesQuery(productIds: readonly string[]) {
  return api.queryOptions(
    'get',
    '/ui/access/summaries',
    { params: { query: { productId: [...productIds] } } },
    { enabled: productIds.length > 0 },
  )
}

/** Returns the query for an agreement. */
export function agreementQuery(id: string) {
  return api.queryOptions('get', '/ui/access/{id}', { params: { path: { id } } })
}

/** The consumer of a request: a team or a data product; without both, the person. */
export interface RequestConsumer {
  consumerTeam?: string
  consumerProduct?: string
}

/** Returns the query for an output port and who decides on a request for a consumer. */
export function portQuery(productId: string, port: string, consumer: RequestConsumer = {}) {
  const query = { productId, port, ...consumer }
  return api.queryOptions(
    'get',
    '/ui/access/port',
    { params: { query } },
    // For another consumer, only those who decide change.
    { placeholderData: keepPreviousData },
  )
}

/** Returns a problem of one of several requests or decisions in words for people. */
export function toOutcomeProblem({
  code,
  detail,
}: NonNullable<AccessOutcome['problem']>): ShownProblem {
  const facts = { detail, instance: '/ui/access', violationCount: 0, retryAfterSeconds: undefined }
  const { title, message } = MESSAGES[code](facts)
  return { title, message: forPeople(detail, message), violations: [] }
}
