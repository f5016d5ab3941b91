import { api, client, type Answer } from '../../api/client.ts'
import { startConfirming, startLinking } from '../../api/provider-sign-in.ts'
import { Button } from '../../parts/button.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { exactTime } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'

type Provider = Answer<'/ui/provider-identities', 'get'>['providers'][number]

/** The identity providers of the organization, with which the person can link the account. */
export function SignInProvidersPanel() {
  const { data } = api.useQuery('get', '/ui/provider-identities')
  if (data === undefined || data.providers.length === 0) return null
  return (
    <Panel title="Sign-in providers">
      <ul className="grid gap-3">
        {data.providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} />
        ))}
      </ul>
    </Panel>
  )
}

function ProviderRow({ provider }: { provider: Provider }) {
  const { id, name, identity } = provider
  const link = useAction({ request: () => startLinking(id, paths.profile) })
  const confirm = useAction({ request: () => startConfirming(id, paths.profile) })
  const { problem } = link
  return (
    <li className="grid gap-2">
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div className="min-w-0">
          <div className="user-text font-medium">{name}</div>
          <div className="user-text text-sm text-muted">
            {identity === null
              ? 'Not linked'
              : `Linked ${exactTime(identity.linkedAt)}${identity.email === null ? '' : ` as ${identity.email}`}`}
          </div>
        </div>
        {identity === null ? (
          <Button busy={link.isPending} onClick={() => link.run()}>
            Link account
          </Button>
        ) : (
          <div className="flex flex-wrap gap-2">
            <Button look="quiet" busy={confirm.isPending} onClick={() => confirm.run()}>
              Sign in again
            </Button>
            <ActionButton
              label="Unlink"
              title={`Unlink ${name}?`}
              button="Unlink"
              request={() =>
                client.DELETE('/ui/provider-identities/{id}', { params: { path: { id } } })
              }
              refresh={['/ui/provider-identities']}
            >
              <p>Sessions that began with it end. You can still sign in in another way.</p>
            </ActionButton>
          </div>
        )}
      </div>
    </li>
  )
}
