import { KeyRound, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, client, readBody, type Schemas } from '../../api/client.ts'
import { may, usePrincipalNames, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { exactTime, Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { EditWebhookDialog, WEBHOOK_DATA } from './webhook-dialog.tsx'
import { WebhookLedger } from './webhook-ledger.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { WebhookStatus } from './webhook-status.tsx'

type Webhook = Schemas['Webhook']

const TRAIL = [
  { title: 'Settings', href: paths.settings },
  { title: 'Webhooks', href: paths.webhooks() },
]
const USUAL = { dialog: '' }

/** A webhook endpoint: its settings and the ledger of its deliveries. */
export function WebhookPage() {
  const id = usePathId() ?? ''
  const query = api.useQuery('get', '/api/webhooks/{id}', { params: { path: { id } } })
  const webhook = query.data
  return (
    <Page
      title={webhook?.name ?? 'Webhook'}
      trail={TRAIL}
      marks={webhook !== undefined && <WebhookStatus webhook={webhook} />}
      facts={webhook !== undefined && <span className="user-text break-all">{webhook.url}</span>}
    >
      <Loaded
        query={query}
        missing={
          <MissingThing
            called="webhook"
            action={<Link href={paths.webhooks()}>See all webhooks</Link>}
          />
        }
      >
        {(loaded) => <WebhookContent key={id} webhook={loaded} />}
      </Loaded>
    </Page>
  )
}

function WebhookContent({ webhook }: { webhook: Webhook }) {
  const [{ dialog }, setUrl] = useUrlState(USUAL)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const { reason } = may(useSession(), 'TEAM_EDIT', webhook.teamId)
  const close = (): void => setUrl({ dialog: '' }, { replace: true })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <WebhookActions webhook={webhook} reason={reason} onOpen={(one) => setUrl({ dialog: one })} />
      {secret !== undefined && (
        <WebhookSecret
          title="New secret"
          secret={secret}
          onSaved={() => {
            setSecret(undefined)
            document.getElementById('content')?.focus()
          }}
        />
      )}
      <HealthNotice webhook={webhook} reason={reason} />
      <Details webhook={webhook} />
      <WebhookLedger webhook={webhook} reason={reason} />
      {dialog === 'edit' && reason === undefined && (
        <EditWebhookDialog webhook={webhook} onClose={close} />
      )}
      {dialog === 'secret' && (
        <RotateDialog webhook={webhook} onClose={close} onRotated={setSecret} />
      )}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </div>
  )
}

interface WebhookActionsProps {
  webhook: Webhook
  /** Why the person cannot change it; undefined = they can. */
  reason: string | undefined
  onOpen: (dialog: 'edit' | 'secret' | 'delete') => void
}

function WebhookActions({ webhook, reason, onOpen }: WebhookActionsProps) {
  const params = { path: { id: webhook.id } }
  const test = useAction({
    request: () => client.POST('/api/webhooks/{id}/test', { params }),
    notice: 'Test event sent',
    refresh: WEBHOOK_DATA,
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button icon={Send} reason={reason} busy={test.isPending} onClick={() => test.run()}>
          Send test event
        </Button>
        <Button icon={Pencil} reason={reason} onClick={() => onOpen('edit')}>
          Edit
        </Button>
        <Button icon={KeyRound} reason={reason} onClick={() => onOpen('secret')}>
          Replace secret
        </Button>
        <Button icon={Trash2} reason={reason} onClick={() => onOpen('delete')}>
          Delete
        </Button>
      </div>
      {test.problem !== undefined && (
        <Notice tone="critical" title="Test event not sent">
          {test.problem.message}
        </Notice>
      )}
    </div>
  )
}

/** Whether the endpoint is disabled or failing, and the button that enables or disables it. */
function HealthNotice({ webhook, reason }: { webhook: Webhook; reason: string | undefined }) {
  const { enabled, disabledAt, disabledBecause, failingSince } = webhook
  if (!enabled) {
    return (
      <Notice
        tone={disabledAt === null ? 'info' : 'critical'}
        title={
          disabledAt === null ? 'Disabled' : `Disabled by Portbook on ${exactTime(disabledAt)}`
        }
        actions={<EnableButton webhook={webhook} reason={reason} />}
      >
        {disabledBecause} No events are sent. Events that happen while it is disabled are not sent
        later.
      </Notice>
    )
  }
  if (failingSince === null) return null
  return (
    <Notice tone="caution" title={`Failing since ${exactTime(failingSince)}`}>
      Portbook repeats each delivery for three days, and then disables the webhook.
    </Notice>
  )
}

function EnableButton({ webhook, reason }: { webhook: Webhook; reason: string | undefined }) {
  const turn = useSetEnabled(webhook)
  return (
    <>
      <Button reason={reason} busy={turn.isPending} onClick={() => turn.run(true)}>
        Enable
      </Button>
      <ProblemNotice problem={turn.problem} />
    </>
  )
}

function useSetEnabled(webhook: Webhook) {
  const { id, name, url, filterTeamId, eventTypes, version } = webhook
  return useAction({
    request: (enabled: boolean) =>
      client.PUT('/api/webhooks/{id}', {
        params: { path: { id } },
        body: { name, url, filterTeamId, eventTypes, version, enabled },
      }),
    notice: (_, enabled) => (enabled ? 'Webhook enabled' : 'Webhook disabled'),
    refresh: WEBHOOK_DATA,
  })
}

function Details({ webhook }: { webhook: Webhook }) {
  const { teamName, filterTeamId, eventTypes, createdAt, createdBy, formerSecretUntil } = webhook
  const { reason } = may(useSession(), 'TEAM_EDIT', webhook.teamId)
  const turn = useSetEnabled(webhook)
  const getName = usePrincipalNames([createdBy])
  return (
    <Panel
      title="Details"
      actions={
        webhook.enabled && (
          <Button reason={reason} busy={turn.isPending} onClick={() => turn.run(false)}>
            Disable
          </Button>
        )
      }
    >
      <ProblemNotice problem={turn.problem} />
      <Facts
        facts={[
          ['Belongs to', teamName ?? 'Organization'],
          ...(filterTeamId === null ? [] : [['Only events of', filterTeamId] as const]),
          ['Events', eventTypes.length === 0 ? 'All' : eventTypes.join(', ')],
          ...(formerSecretUntil === null
            ? []
            : [['Former secret', `Signs too until ${exactTime(formerSecretUntil)}`] as const]),
          [
            'Created',
            <span key="created" className="user-text">
              <Time at={createdAt} /> by {getName(createdBy)}
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}

interface RotateDialogProps {
  webhook: Webhook
  onClose: () => void
  onRotated: (secret: string) => void
}

function RotateDialog({ webhook: { id }, onClose, onRotated }: RotateDialogProps) {
  return (
    <ActionDialog
      title="Replace the secret?"
      button="Replace secret"
      request={() =>
        readBody(client.POST('/api/webhooks/{id}/rotate-secret', { params: { path: { id } } }))
      }
      onSuccess={({ secret }) => onRotated(secret)}
      refresh={WEBHOOK_DATA}
      onClose={onClose}
    >
      <p>
        For a day, requests have two signatures: one of the new secret and one of the present one.
        Give the new secret to the receiver within that time.
      </p>
    </ActionDialog>
  )
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, name } = webhook
  return (
    <ActionDialog
      title={`Delete the webhook "${name}"?`}
      button="Delete webhook"
      danger
      request={() => client.DELETE('/api/webhooks/{id}', { params: { path: { id } } })}
      notice="Webhook deleted"
      goTo={paths.webhooks()}
      refresh={['/api/webhooks']}
      onClose={onClose}
    >
      <p>
        No more events are sent to it, and its ledger is no longer visible. This cannot be undone.
      </p>
    </ActionDialog>
  )
}
