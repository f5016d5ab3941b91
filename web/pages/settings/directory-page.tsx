import { Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { api, client, readBody, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { ReadersOnly } from '../../shell/right-readers.tsx'
import { DirectoryKeysPanel, NewDirectoryKey } from './directory-keys.tsx'
import { RefusalsPanel } from './directory-refusals.tsx'
import { SettingsFrame } from './settings-frame.tsx'

type Directory = Schemas['DirectoryState']

/** The directory that provisions members and groups: its address, its keys, and the requests that were rejected. */
export function DirectoryPage() {
  return (
    <SettingsFrame at={paths.directory}>
      <p className="max-w-3xl text-muted">
        Your directory creates, changes and suspends members, and sends the groups that give them
        roles. See the <Link href={paths.guide('provisioning')}>guide to provisioning</Link> for
        Entra ID and Okta.
      </p>
      <ReadersOnly things="the directory">{() => <CurrentDirectory />}</ReadersOnly>
    </SettingsFrame>
  )
}

function CurrentDirectory() {
  const query = api.useQuery('get', '/ui/directory')
  const [created, setCreated] = useState<string | undefined>(undefined)
  const create = useAction({
    request: () => readBody(client.POST('/ui/directory/keys')),
    onSuccess: ({ key }) => setCreated(key),
    refresh: ['/ui/directory'],
    problemAsNotice: true,
  })
  const dismiss = (): void => {
    setCreated(undefined)
    // The button that was pressed is gone, so the page itself takes the focus.
    document.getElementById('content')?.focus()
  }
  return (
    <Loaded query={query}>
      {(directory) => (
        <>
          {created !== undefined && (
            <NewDirectoryKey secret={created} address={directory.address} onSaved={dismiss} />
          )}
          {isNew(directory) ? (
            <ConnectPanel address={directory.address}>
              <CreateButton
                directory={directory}
                isPending={create.isPending}
                onPress={create.run}
              />
            </ConnectPanel>
          ) : (
            <>
              <ProvisioningPanel directory={directory} />
              <DirectoryKeysPanel keys={directory.keys} keysMax={directory.keysMax}>
                <CreateButton
                  directory={directory}
                  isPending={create.isPending}
                  onPress={create.run}
                />
              </DirectoryKeysPanel>
              <RefusalsPanel refusals={directory.refusals} />
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

function isNew({ keys, lastRequestAt, userCount, groupCount }: Directory): boolean {
  return keys.length === 0 && lastRequestAt === null && userCount === 0 && groupCount === 0
}

interface CreateButtonProps {
  directory: Directory
  isPending: boolean
  onPress: () => void
}

function CreateButton({ directory, isPending, onPress }: CreateButtonProps) {
  const { keys, keysMax } = directory
  const reason =
    keys.length >= keysMax
      ? 'Both keys are in use. Delete the one that is no longer used.'
      : undefined
  return (
    <Button
      look={keys.length === 0 ? 'primary' : 'secondary'}
      icon={Plus}
      reason={reason}
      busy={isPending}
      onClick={onPress}
    >
      Create key
    </Button>
  )
}

function ConnectPanel({ address, children }: { address: string; children: ReactNode }) {
  return (
    <Panel title="Connect a directory">
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
        <p>
          No directory is connected. Create a key here, and enter it in the directory together with
          this address.
        </p>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
          <h3 className="text-sm">Address</h3>
          <CodeBlock text={address} label="Address for the directory" />
        </div>
        <dl className="grid gap-3">
          <div>
            <dt className="font-medium">Entra ID</dt>
            <dd className="text-muted">
              Enterprise application, Provisioning, mode Automatic. The address is the Tenant URL,
              and the key is the Secret token.
            </dd>
          </div>
          <div>
            <dt className="font-medium">Okta</dt>
            <dd className="text-muted">
              Application with SCIM provisioning, Integration. The address is the SCIM connector
              base URL; the unique identifier is userName; the authentication mode is HTTP Header
              with the key as bearer token.
            </dd>
          </div>
        </dl>
        <div>{children}</div>
      </div>
    </Panel>
  )
}

function ProvisioningPanel({ directory }: { directory: Directory }) {
  const { address, lastRequestAt, userCount, suspendedCount, groupCount } = directory
  return (
    <Panel title="Provisioning">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <CodeBlock text={address} label="Address for the directory" />
        <Facts
          facts={[
            [
              'Last request',
              lastRequestAt === null ? 'None yet' : <Time key="at" at={lastRequestAt} />,
            ],
            ['Members from the directory', numberText(userCount)],
            ['Suspended members', numberText(suspendedCount)],
            ['Groups', numberText(groupCount)],
            [
              'Roles of groups',
              <Link key="mapping" href={paths.scimMapping}>
                SCIM mapping
              </Link>,
            ],
          ]}
        />
      </div>
    </Panel>
  )
}
