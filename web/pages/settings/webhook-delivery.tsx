import { RotateCcw } from 'lucide-react'
import { api, client, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Facts } from '../../parts/page.tsx'
import { durationText, exactTime } from '../../parts/time.tsx'
import { useAction } from '../../shell/action.ts'
import { DeliveryStatus } from './webhook-status.tsx'

interface DeliveryDialogProps {
  webhookId: string
  deliveryId: string
  /** Why the person cannot send it again; undefined = they can. */
  reason: string | undefined
  onClose: () => void
}

/** A delivery: what is sent, and every attempt. */
export function DeliveryDialog({ webhookId, deliveryId, reason, onClose }: DeliveryDialogProps) {
  const path = { id: webhookId, deliveryId }
  const query = api.useQuery('get', '/api/webhooks/{id}/deliveries/{deliveryId}', {
    params: { path },
  })
  return (
    <Dialog open onClose={onClose} title={query.data?.topic ?? 'Delivery'} wide>
      <Loaded query={query}>
        {(delivery) => (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <Facts
              facts={[
                ['State', <DeliveryStatus key="state" delivery={delivery} />],
                ['Created', exactTime(delivery.createdAt)],
                ...(delivery.nextAttemptAt === null
                  ? []
                  : [['Next attempt', exactTime(delivery.nextAttemptAt)] as const]),
              ]}
            />
            <ReplayButton path={path} reason={reason} />
            <Attempts attempts={delivery.attemptList} />
            <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <h3 className="text-sm font-medium">Payload</h3>
              <CodeBlock text={toReadable(delivery.payload)} label="Payload" />
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

interface ReplayButtonProps {
  path: { id: string; deliveryId: string }
  reason: string | undefined
}

function ReplayButton({ path, reason }: ReplayButtonProps) {
  const replay = useAction({
    request: () =>
      client.POST('/api/webhooks/{id}/deliveries/{deliveryId}/replay', { params: { path } }),
    notice: 'Delivery is sent again',
    refresh: ['/api/webhooks/{id}/deliveries', '/api/webhooks/{id}/deliveries/{deliveryId}'],
  })
  return (
    <>
      <Button
        icon={RotateCcw}
        className="justify-self-start"
        reason={reason}
        busy={replay.isPending}
        onClick={() => replay.run()}
      >
        Send again
      </Button>
      <ProblemNotice problem={replay.problem} />
    </>
  )
}

function Attempts({ attempts }: { attempts: readonly Schemas['DeliveryAttempt'][] }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h3 className="text-sm font-medium">Attempts</h3>
      {attempts.length === 0 ? (
        <p className="text-muted">No attempt yet.</p>
      ) : (
        <ol className="grid gap-2">
          {attempts.map(({ at, durationMs, status, error, response }) => (
            <li key={at} className="grid gap-1 rounded-md border border-line px-3 py-2">
              <p className="flex flex-wrap gap-x-3">
                <span className="figures">{exactTime(at)}</span>
                <span className="text-muted">{durationText(durationMs)}</span>
                {status !== null && <span>Status {status}</span>}
              </p>
              {error !== null && <p className="user-text text-critical">{error}</p>}
              {response !== null && (
                <pre className="user-text max-h-32 overflow-auto text-sm whitespace-pre-wrap">
                  {response}
                </pre>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function toReadable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), undefined, 2)
  } catch {
    return payload
  }
}
