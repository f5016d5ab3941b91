import { api } from '../api/client.ts'
import { maySomewhere, useSession } from '../api/session.ts'
import { cappedText } from '../parts/number-text.ts'

const COUNTED_MAX = 1000
const STALE_MS = 60_000

/** Returns the number of requests that the person decides on; undefined = none. */
export function useOpenRequests(): string | undefined {
  const { allowed } = maySomewhere(useSession(), 'ACCESS_APPROVE')
  const { data } = api.useQuery(
    'get',
    '/ui/access/open-requests',
    {},
    { enabled: allowed, staleTime: STALE_MS },
  )
  if (data === undefined || data.count === 0) return undefined
  return cappedText(data.count, COUNTED_MAX)
}
