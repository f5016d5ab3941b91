import { Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { ReadersOnly } from '../../shell/right-readers.tsx'
import { DomainsPanel } from './domains-panel.tsx'
import { ConnectProviderDialog } from './provider-dialog.tsx'
import { ProviderPanel, ProviderTemplates } from './provider-list.tsx'
import { findTemplate } from './provider-templates.ts'
import { SettingsFrame } from './settings-frame.tsx'
import { SignInRulePanel } from './sign-in-rule-panel.tsx'

/** The identity providers with which members sign in, and the mail domains of the organization. */
export function SignInSettingsPage() {
  return (
    <SettingsFrame at={paths.signInSettings}>
      <p className="max-w-3xl text-muted">
        Members sign in with the accounts of your organization, through a provider of OpenID
        Connect.
      </p>
      <ReadersOnly things="identity providers">
        {() => (
          <>
            <Providers />
            <DomainsPanel />
            <SignInRulePanel />
          </>
        )}
      </ReadersOnly>
    </SettingsFrame>
  )
}

function Providers() {
  const query = api.useQuery('get', '/ui/identity-providers')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [isAdding, setAdding] = useState(false)
  const template = chosen === undefined ? undefined : findTemplate(chosen)
  const close = (): void => {
    setChosen(undefined)
    setAdding(false)
  }
  return (
    <Loaded query={query} skeleton={{ lines: 6, label: 'Loading the identity providers' }}>
      {({ providers, draft, max }) => (
        <>
          {providers.map((provider) => (
            <ProviderPanel key={provider.id} provider={provider} />
          ))}
          {providers.length === 0 || isAdding ? (
            <Panel title="Connect a provider">
              <ProviderTemplates onChoose={setChosen} />
            </Panel>
          ) : (
            <div>
              <Button
                icon={Plus}
                reason={providers.length >= max ? `There are ${max} providers already.` : undefined}
                onClick={() => setAdding(true)}
              >
                Connect a provider
              </Button>
            </div>
          )}
          {template !== undefined && (
            <ConnectProviderDialog template={template} draft={draft} onClose={close} />
          )}
        </>
      )}
    </Loaded>
  )
}
