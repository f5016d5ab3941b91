import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { KeyRound, Pencil, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { may, usePrincipalNames, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { exactTime, Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'

import { EditWebhookDialog } from './webhook-dialog.tsx'
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
      <Loaded query={query}>{(loaded) => <WebhookContent key={id} webhook={loaded} />}</Loaded>
    </Page>
  )
}

function WebhookContent({ webhook }: { webhook: Webhook }) {
  const [{ dialog }, setUrl] = useUrlState(USUAL)
  const [secret, setSecret] = useState<string | undefined>(undefined)
  const refresh = useRefresh()
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
        <EditWebhookDialog
          webhook={webhook}
          onClose={close}
          onSaved={() => {
            close()
            void refresh()
          }}
        />
      )}
      {dialog === 'secret' && (
        <RotateDialog
          webhook={webhook}
          onClose={close}
          onRotated={(one) => {
            close()
            setSecret(one)
            void refresh()
          }}
        />
      )}
      {dialog === 'delete' && <DeleteDialog webhook={webhook} onClose={close} />}
    </div>
  )
}

function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/webhooks'),
    })
  }
}

interface WebhookActionsProps {
  webhook: Webhook
  /** Why the person cannot change it; undefined = they can. */
  reason: string | undefined
  onOpen: (dialog: 'edit' | 'secret' | 'delete') => void
}

function WebhookActions({ webhook, reason, onOpen }: WebhookActionsProps) {
  const refresh = useRefresh()
  const showToast = useToast()
  const test = api.useMutation('post', '/api/webhooks/{id}/test', {
    async onSuccess() {
      showToast('Test event sent')
      await refresh()
    },
  })
  const problem = findProblem(test)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Send}
          reason={reason}
          busy={test.isPending}
          onClick={() => test.mutate({ params: { path: { id: webhook.id } } })}
        >
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
      {problem !== undefined && (
        <Notice tone="critical" title="Test event not sent">
          {problem.message}
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
  const { mutate, isPending, problem } = useSetEnabled(webhook)
  return (
    <>
      <Button reason={reason} busy={isPending} onClick={() => mutate(true)}>
        Enable
      </Button>
      {problem !== undefined && <ProblemNotice problem={problem} />}
    </>
  )
}

function useSetEnabled(webhook: Webhook) {
  const refresh = useRefresh()
  const showToast = useToast()
  const save = api.useMutation('put', '/api/webhooks/{id}', {
    async onSuccess({ enabled }) {
      showToast(enabled ? 'Webhook enabled' : 'Webhook disabled')
      await refresh()
    },
  })
  const { id, name, url, filterTeamId, eventTypes, version } = webhook
  return {
    isPending: save.isPending,
    problem: findProblem(save),
    mutate: (enabled: boolean) =>
      save.mutate({
        params: { path: { id } },
        body: { name, url, filterTeamId, eventTypes, version, enabled },
      }),
  }
}

function Details({ webhook }: { webhook: Webhook }) {
  const { teamName, filterTeamId, eventTypes, createdAt, createdBy, formerSecretUntil } = webhook
  const { reason } = may(useSession(), 'TEAM_EDIT', webhook.teamId)
  const { mutate, isPending, problem } = useSetEnabled(webhook)
  const getName = usePrincipalNames([createdBy])
  return (
    <Panel
      title="Details"
      actions={
        webhook.enabled && (
          <Button reason={reason} busy={isPending} onClick={() => mutate(false)}>
            Disable
          </Button>
        )
      }
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
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

function RotateDialog({ webhook, onClose, onRotated }: RotateDialogProps) {
  const rotate = api.useMutation('post', '/api/webhooks/{id}/rotate-secret', {
    onSuccess: ({ secret }) => onRotated(secret),
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Replace the secret?"
      action="Replace secret"
      busy={rotate.isPending}
      problem={findProblem(rotate)}
      onConfirm={() => rotate.mutate({ params: { path: { id: webhook.id } } })}
    >
      <p>
        For a day, requests have two signatures: one of the new secret and one of the present one.
        Give the new secret to the receiver within that time.
      </p>
    </ConfirmDialog>
  )
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const router = useRouter()
  const remove = api.useMutation('delete', '/api/webhooks/{id}', {
    async onSuccess() {
      showToast('Webhook deleted')
      router.history.push(paths.webhooks())
      await queries.invalidateQueries({ queryKey: ['get', '/api/webhooks'] })
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the webhook "${webhook.name}"?`}
      action="Delete webhook"
      danger
      busy={remove.isPending}
      problem={findProblem(remove)}
      onConfirm={() => remove.mutate({ params: { path: { id: webhook.id } } })}
    >
      <p>
        No more events are sent to it, and its ledger is no longer visible. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
