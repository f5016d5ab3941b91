import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { NameLink } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { sortByDate, sortByName } from '../../parts/sort-rows.ts'
import { SortedTable, type SortedColumn } from '../../parts/table-sort.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { SettingsFrame } from './settings-frame.tsx'
import { CreateWebhookDialog } from './webhook-dialog.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { WebhookStatus } from './webhook-status.tsx'

type Webhook = Schemas['Webhook']

const USUAL = { new: '', team: '', sort: '' }

/** The webhook endpoints that the person may manage. `?new=webhook&team=<id>` opens the form for a team. */
export function WebhooksPage() {
  const session = useSession()
  const query = api.useQuery('get', '/api/webhooks')
  const [{ new: isNew, team }, setUrl] = useUrlState(USUAL)
  const [created, setCreated] = useState<Schemas['WebhookWithSecret'] | undefined>(undefined)
  const { reason } = maySomewhere(session, 'TEAM_EDIT')
  const open = (): void => setUrl({ new: 'webhook', team })
  const close = (): void => setUrl({ new: '', team }, { replace: true })
  const keep = (webhook: Schemas['WebhookWithSecret']): void => {
    setCreated(webhook)
    close()
  }
  const dismiss = (): void => {
    setCreated(undefined)
    document.getElementById('content')?.focus()
  }
  return (
    <SettingsFrame
      at={paths.webhooks()}
      actions={
        <Button look="primary" icon={Plus} reason={reason} onClick={open}>
          Create webhook
        </Button>
      }
    >
      {created !== undefined && isNew === '' && (
        <WebhookSecret
          title={`Webhook "${created.name}" created`}
          secret={created.secret}
          onSaved={dismiss}
        >
          <ButtonLink href={paths.webhook(created.id)}>Open it to send a test event</ButtonLink>
        </WebhookSecret>
      )}
      <QueryPanel
        title="Webhooks"
        marks={query.data?.length}
        flush
        query={query}
        skeleton={{ lines: 4, label: 'Loading the webhooks', isFlush: true }}
      >
        {(webhooks) => (
          <WebhookList
            webhooks={filterByTeam(webhooks, team)}
            isFiltered={team !== '' && webhooks.length > 0}
            reason={reason}
            onCreate={open}
          />
        )}
      </QueryPanel>
      {isNew === 'webhook' && reason === undefined && (
        <CreateWebhookDialog teamId={team} onClose={close} onCreated={keep} />
      )}
    </SettingsFrame>
  )
}

function filterByTeam(webhooks: readonly Webhook[], team: string): readonly Webhook[] {
  return team === '' ? webhooks : webhooks.filter(({ teamId }) => teamId === team)
}

interface WebhookListProps {
  webhooks: readonly Webhook[]
  /** Whether only those of a team are shown. */
  isFiltered: boolean
  /** Why the person cannot create one; undefined = they can. */
  reason: string | undefined
  onCreate: () => void
}

function WebhookList({ webhooks, isFiltered, reason, onCreate }: WebhookListProps) {
  const [{ sort }, setUrl] = useUrlState(USUAL)
  if (webhooks.length > 0) {
    return (
      <SortedTable
        label="Webhooks"
        rows={webhooks}
        columns={COLUMNS}
        getKey={({ id }) => id}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
      />
    )
  }
  return (
    <EmptyList
      icon={WebhookIcon}
      things="webhooks"
      filter={{
        isSet: isFiltered,
        clear: paths.webhooks(),
        advice: 'The address selects those of one team.',
      }}
      title="No webhooks yet"
      action={reason === undefined && <Button onClick={onCreate}>Create webhook</Button>}
    >
      Other systems are notified of changes here, with a signed request for each event.
    </EmptyList>
  )
}

const COLUMNS: readonly SortedColumn<Webhook>[] = [
  {
    title: 'Name',
    sort: sortByName(({ name }) => name),
    className: 'min-w-40 max-w-80',
    cell: ({ id, name }) => <NameLink href={paths.webhook(id)} name={name} />,
  },
  {
    title: 'Status',
    className: 'whitespace-nowrap',
    cell: (webhook) => <WebhookStatus webhook={webhook} />,
  },
  {
    title: 'URL',
    className: 'max-w-96',
    cell: ({ url }) => <span className="user-text line-clamp-2 break-all">{url}</span>,
  },
  {
    title: 'Belongs to',
    className: 'max-w-60',
    cell: ({ teamName }) => (
      <span className="user-text line-clamp-2">{teamName ?? 'Organization'}</span>
    ),
  },
  {
    title: 'Last delivery',
    sort: sortByDate('last-delivery', 'Last delivery', ({ lastDeliveryAt }) => lastDeliveryAt),
    cell: ({ lastDeliveryAt }) =>
      lastDeliveryAt === null ? (
        <span className="text-muted">none</span>
      ) : (
        <Time at={lastDeliveryAt} />
      ),
  },
  {
    title: 'Events',
    className: 'whitespace-nowrap',
    cell: ({ eventTypes }) => countEvents(eventTypes),
  },
]

function countEvents(eventTypes: readonly string[]): string {
  if (eventTypes.length === 0) return 'All'
  return eventTypes.length === 1 ? '1 type' : `${eventTypes.length} types`
}
