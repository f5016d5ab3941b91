import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { startTrying } from '../../api/provider-sign-in.ts'
import { Button } from '../../parts/button.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { EditProviderDialog } from './provider-dialog.tsx'
import { PROVIDER_TEMPLATES } from './provider-templates.ts'

type Provider = Schemas['IdentityProvider']

const JOIN_RULES: Readonly<Record<Provider['joinRule'], string>> = {
  invited: 'Invited people',
  groups: 'People in a mapped group',
  everyone: 'Everyone in its domains',
}

/** The products that can be connected, as buttons. */
export function ProviderTemplates({ onChoose }: { onChoose: (key: string) => void }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {PROVIDER_TEMPLATES.map(({ key, title, lead }) => (
        <li key={key}>
          <button
            type="button"
            className="flex h-full w-full items-center gap-3 rounded-lg border border-line bg-surface p-4 text-left hover:bg-sunken"
            onClick={() => onChoose(key)}
          >
            <KeyRound size={18} aria-hidden className="shrink-0 text-accent" />
            <span className="grid min-w-0">
              <span className="font-medium">{title}</span>
              <span className="text-sm text-muted">{lead}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** A provider with its state, what depends on it, and its last failures. */
export function ProviderPanel({ provider }: { provider: Provider }) {
  const { name, issuer, domains, joinRule, linkCount, sessionCount, lastSignInAt } = provider
  const isOfSettings = provider.origin === 'environment'
  return (
    <Panel
      title={name}
      marks={
        <Status tone={provider.enabled ? 'positive' : 'off'}>
          {provider.enabled ? 'Enabled' : 'Disabled'}
        </Status>
      }
      actions={!isOfSettings && <ProviderActions provider={provider} />}
    >
      <div className="grid gap-4">
        {isOfSettings && (
          <Notice tone="info" title="This provider follows the settings of the server">
            The operator changes it there.
          </Notice>
        )}
        <Facts
          facts={[
            ['Issuer', <Wrapped key="issuer" text={issuer} />],
            ['Client ID', <Wrapped key="client" text={provider.clientId} />],
            ['Client secret', <SecretFact key="secret" provider={provider} />],
            ['Who may join', JOIN_RULES[joinRule]],
            ['Domains', domains.length === 0 ? 'None' : domains.join(', ')],
            ['Linked people', String(linkCount)],
            ['Sessions', String(sessionCount)],
            [
              'Last sign-in',
              lastSignInAt === null ? 'None yet' : <Time key="last" at={lastSignInAt} />,
            ],
            ['Redirect address', <Wrapped key="redirect" text={provider.redirectAddress} />],
            ['Sign-out address', <Wrapped key="sign-out" text={provider.signOutAddress} />],
            ['Back-channel log-out', <Wrapped key="logout" text={provider.logoutAddress} />],
          ]}
        />
        {provider.enabled && <TryButton id={provider.id} />}
        {provider.failures.length > 0 && <Failures failures={provider.failures} />}
      </div>
    </Panel>
  )
}

function TryButton({ id }: Pick<Provider, 'id'>) {
  const attempt = useAction({ request: () => startTrying(id, paths.signInSettings) })
  const { problem } = attempt
  return (
    <div className="grid gap-2">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button busy={attempt.isPending} onClick={() => attempt.run()}>
          Try a sign-in
        </Button>
        <p className="text-sm text-muted">
          Shows the claims, the matching person and the roles. Nothing is created.
        </p>
      </div>
    </div>
  )
}

function Wrapped({ text }: { text: string }) {
  return <span className="user-text break-all">{text}</span>
}

function SecretFact({ provider: { secretSetAt } }: { provider: Provider }) {
  if (secretSetAt === null) return 'None'
  return (
    <>
      Set <Time at={secretSetAt} />
    </>
  )
}

function ProviderActions({ provider }: { provider: Provider }) {
  const [isEditing, setEditing] = useState(false)
  const { id, name, version, linkCount, managedCount, sessionCount } = provider
  return (
    <div className="flex gap-2">
      <Button onClick={() => setEditing(true)}>Edit provider</Button>
      <ActionButton
        label="Delete provider"
        title={`Delete ${name}?`}
        button="Delete provider"
        danger
        request={() =>
          client.DELETE('/ui/identity-providers/{id}', {
            params: { path: { id }, query: { confirmedLinkCount: linkCount } },
            headers: { 'if-match': `"${version}"` },
          })
        }
        notice="Identity provider deleted"
        refresh={['/ui/identity-providers']}
      >
        {countPeople(linkCount)} can no longer sign in with it, and {sessionCount}{' '}
        {sessionCount === 1 ? 'session ends' : 'sessions end'}. {countPeople(managedCount)} whose
        accounts it manages can set a password instead. This cannot be undone.
      </ActionButton>
      {isEditing && <EditProviderDialog provider={provider} onClose={() => setEditing(false)} />}
    </div>
  )
}

function Failures({ failures }: Pick<Provider, 'failures'>) {
  return (
    <section aria-label="Failed sign-ins">
      <h3 className="mb-2 text-sm font-medium">Failed sign-ins</h3>
      <ul className="grid gap-2">
        {failures.map(({ failedAt, sentence, requestId }) => (
          <li key={`${failedAt} ${requestId}`} className="border-t border-line pt-2">
            <p className="user-text">{sentence}</p>
            <p className="text-sm break-all text-muted">
              <Time at={failedAt} />, request {requestId}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function countPeople(count: number): string {
  return count === 1 ? '1 person' : `${count} people`
}
