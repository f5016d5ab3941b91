import type { Answer } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

/** The last message to a channel. */
export type LastDelivery = Answer<'/ui/teams/{id}/channel-deliveries', 'get'>[number]

/** The last message to a channel: whether it arrived, when, and otherwise why not. Undefined = there was none. */
export function ChannelDelivery({ last }: { last: LastDelivery | undefined }) {
  if (last === undefined) return <span className="text-muted">None yet</span>
  const { state, error, createdAt, endedAt } = last
  const at = <Time at={endedAt ?? createdAt} />
  if (state === 'delivered') return <Status tone="positive">Sent {at}</Status>
  if (state === 'canceled') return <Status tone="off">Not sent {at}</Status>
  return (
    <div className="grid gap-0.5">
      <Status tone={state === 'failed' ? 'critical' : 'caution'}>
        {state === 'failed' ? 'Failed' : error === null ? 'Waiting' : 'Trying again'} {at}
      </Status>
      {error !== null && <span className="user-text text-sm text-muted">{error}</span>}
    </div>
  )
}
