import { useQuery } from '@tanstack/react-query'
import { RefreshCw, RotateCcw, Send } from 'lucide-react'
import { useState } from 'react'
import { client, readBody, type Schemas } from '../../api/client.ts'
import { toListPage } from '../../api/next-page.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Paging } from '../../parts/paging.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { DeliveryDialog } from './webhook-delivery.tsx'
import { DELIVERY_STATES } from '../../documents/delivery-words.ts'
import { DeliveryStatus } from './webhook-status.tsx'

type Webhook = Schemas['Webhook']
type Delivery = Schemas['Delivery']
type DeliveryState = Delivery['state']

const USUAL = { state: '', p: '', delivery: '', dialog: '' }

interface WebhookLedgerProps {
  webhook: Webhook
  /** Why the person cannot send deliveries again; undefined = they can. */
  reason: string | undefined
}

/** The deliveries to an endpoint, the newest first, filtered by their state. */
export function WebhookLedger({ webhook, reason }: WebhookLedgerProps) {
  const [state, setUrl] = useUrlState(USUAL)
  const page = /^\d{1,6}$/.test(state.p) ? Number(state.p) : 0
  const chosen = DELIVERY_STATES.find(([one]) => one === state.state)?.[0]
  const query = useDeliveries(webhook.id, { p: page, ...(chosen && { state: chosen }) })
  return (
    <Panel
      title="Deliveries"
      actions={
        <LedgerActions
          reason={reason}
          busy={query.isFetching}
          onRefresh={() => void query.refetch()}
          onReplay={() => setUrl({ ...state, dialog: 'replay' })}
        />
      }
      flush
    >
      <search className="border-b border-line px-4 py-3" aria-label="Filter deliveries">
        <ChoiceField
          label="State"
          className="w-48"
          value={chosen ?? ''}
          choices={toChoices(DELIVERY_STATES, 'Any')}
          onChange={(one) => setUrl({ ...state, state: one, p: '' })}
        />
      </search>
      <Loaded query={query} skeleton={{ lines: 6, label: 'Loading the deliveries', isFlush: true }}>
        {({ rows: deliveries, hasNext }) => (
          <>
            <Deliveries
              webhook={webhook}
              deliveries={deliveries}
              query={{ state: chosen ?? '', p: state.p }}
              isFiltered={chosen !== undefined || page > 0}
            />
            <Paging
              label="Pages of deliveries"
              page={page}
              hasNext={hasNext}
              toPage={(p) => paths.webhook(webhook.id, { state: chosen, p })}
              words={['Newer', 'Older']}
            />
          </>
        )}
      </Loaded>
      <LedgerDialogs webhook={webhook} reason={reason} />
    </Panel>
  )
}

function useDeliveries(id: string, filter: { p: number; state?: DeliveryState }) {
  const path = '/api/webhooks/{id}/deliveries'
  const params = { path: { id }, query: filter }
  return useQuery({
    queryKey: ['get', path, { params }],
    queryFn: async ({ signal }) => toListPage(await client.GET(path, { params, signal })),
  })
}

interface LedgerActionsProps {
  reason: string | undefined
  busy: boolean
  onRefresh: () => void
  onReplay: () => void
}

function LedgerActions({ reason, busy, onRefresh, onReplay }: LedgerActionsProps) {
  return (
    <>
      <Button icon={RefreshCw} busy={busy} onClick={onRefresh}>
        Refresh
      </Button>
      <Button icon={RotateCcw} reason={reason} onClick={onReplay}>
        Replay
      </Button>
    </>
  )
}

/** The delivery or the replay that the address names. */
function LedgerDialogs({ webhook, reason }: WebhookLedgerProps) {
  const [state, setUrl] = useUrlState(USUAL)
  return (
    <>
      {state.delivery !== '' && (
        <DeliveryDialog
          webhookId={webhook.id}
          deliveryId={state.delivery}
          reason={reason}
          onClose={() => setUrl({ ...state, delivery: '' }, { replace: true })}
        />
      )}
      {state.dialog === 'replay' && reason === undefined && (
        <ReplayDialog
          webhook={webhook}
          onClose={() => setUrl({ ...state, dialog: '' }, { replace: true })}
        />
      )}
    </>
  )
}

interface DeliveriesProps {
  webhook: Webhook
  deliveries: readonly Delivery[]
  query: { state: string; p: string }
  isFiltered: boolean
}

function Deliveries({ webhook, deliveries, query, isFiltered }: DeliveriesProps) {
  if (deliveries.length === 0) {
    return (
      <Empty icon={Send} title={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
        Each event that is sent appears here with every attempt, for 30 days.
      </Empty>
    )
  }
  const columns = getColumns(webhook.id, query)
  return <Table label="Deliveries" rows={deliveries} columns={columns} getKey={({ id }) => id} />
}

function getColumns(webhookId: string, query: DeliveriesProps['query']): Column<Delivery>[] {
  return [
    {
      title: 'Event',
      className: 'min-w-48',
      cell: ({ id, topic }) => (
        <Link
          href={paths.webhook(webhookId, { ...query, delivery: id })}
          className="flex min-h-6 items-center break-all"
        >
          {topic}
        </Link>
      ),
    },
    {
      title: 'Subject',
      className: 'max-w-72',
      cell: ({ subject }) => (
        <span className="user-text line-clamp-2">{subject.slice(subject.indexOf('/') + 1)}</span>
      ),
    },
    {
      title: 'State',
      className: 'whitespace-nowrap',
      cell: (delivery) => <DeliveryStatus delivery={delivery} />,
    },
    { title: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    {
      title: 'Last answer',
      className: 'max-w-80',
      cell: ({ lastStatus, lastError }) => (
        <span className="user-text line-clamp-2">{lastError ?? lastStatus ?? '–'}</span>
      ),
    },
    {
      title: 'Created',
      className: 'whitespace-nowrap',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ]
}

const TIME = { type: 'datetime-local', className: 'max-w-60' }

const REPLAY_FIELDS: readonly FieldRecord<'from' | 'until' | 'state'>[] = [
  { name: 'from', title: 'From', control: { ...TIME, required: true } },
  { name: 'until', title: 'Until', optional: true, control: TIME },
  { name: 'state', kind: 'choice', title: 'State', choices: toChoices(DELIVERY_STATES, 'Any') },
]

/** Sends the deliveries of a time range again. */
function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [draft, setDraft] = useState({ from: '', until: '', state: 'failed' })
  const { from, until, state } = draft
  const chosen: DeliveryState | undefined = DELIVERY_STATES.find(([one]) => one === state)?.[0]
  const replay = useAction({
    request: () =>
      readBody(
        client.POST('/api/webhooks/{id}/replay', {
          params: { path: { id: webhook.id } },
          body: {
            from: new Date(from).toISOString(),
            ...(until !== '' && { until: new Date(until).toISOString() }),
            ...(chosen && { state: chosen }),
          },
        }),
      ),
    onSuccess: onClose,
    notice: ({ count }) =>
      count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`,
    refresh: ['/api/webhooks/{id}/deliveries'],
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Replay deliveries"
      description="Sends the deliveries of a time range again, at most 10,000 at once."
    >
      <InputForm
        label="Replay"
        fields={REPLAY_FIELDS}
        values={draft}
        onChange={setDraft}
        sending={replay}
        action="Replay deliveries"
        onSubmit={replay.run}
      />
    </Dialog>
  )
}
