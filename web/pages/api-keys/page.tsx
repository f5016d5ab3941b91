import { KeyRound, Plus } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { api, type Answer, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { NextStep } from '../../shell/next-step.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyList } from './key-list.tsx'

const USUAL = { new: '', like: '' }
const FEW_LEFT = 10

/** The API keys that the person may see. `?new=key&like=<id>` opens the form with the settings of a key. */
export function ApiKeysPage() {
  const query = api.useQuery('get', '/ui/api-keys')
  const [{ new: isNew }, setUrl] = useUrlState(USUAL)
  const [created, setCreated] = useState<Schemas['CreatedApiKey'] | undefined>(undefined)
  const open = (): void => setUrl({ new: 'key' })
  const dismiss = (): void => {
    setCreated(undefined)
    // The button that was pressed is gone, so the page itself takes the focus.
    document.getElementById('content')?.focus()
  }
  const isFull = query.data !== undefined && query.data.count >= query.data.max
  const fullReason = `All ${query.data?.max} keys are in use. Delete one first.`
  return (
    <Page
      title="API keys"
      facts="Programs sign in with a key: pipelines, scripts, connectors, agents."
      actions={
        <Button look="primary" icon={Plus} reason={isFull ? fullReason : undefined} onClick={open}>
          Create API key
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {/* It takes the focus, which the dialog holds while it is open. */}
        {created !== undefined && isNew === '' && <NewKey created={created} onSaved={dismiss} />}
        <Loaded query={query} skeleton={<KeysSkeleton />}>
          {(data) => (
            <>
              {data.count > data.max - FEW_LEFT && <FewLeft {...data} />}
              <KeyList {...data} onCreate={open} />
              {isNew === 'key' && <CreateKey keys={data.keys} onCreated={setCreated} />}
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

interface CreateKeyProps {
  keys: Answer<'/ui/api-keys', 'get'>['keys']
  onCreated: (key: Schemas['CreatedApiKey']) => void
}

function CreateKey({ keys, onCreated }: CreateKeyProps) {
  const [{ like }, setUrl] = useUrlState(USUAL)
  const close = (): void => setUrl({ new: '', like: '' }, { replace: true })
  return (
    <CreateKeyDialog
      like={keys.find(({ organizationApiKeyId }) => organizationApiKeyId === like)}
      onClose={close}
      onCreated={(key) => {
        close()
        onCreated(key)
      }}
    />
  )
}

function FewLeft({ count, max }: { count: number; max: number }) {
  const left = max - count
  return (
    <Notice
      tone="caution"
      title={left <= 0 ? `All ${max} keys are in use` : `${left} of ${max} keys left`}
    >
      Expired keys count until they are deleted. Select the keys that nothing uses and delete them.
    </Notice>
  )
}

function KeysSkeleton() {
  return (
    <Panel title="Keys" marks={<KeyRound size={14} aria-hidden />}>
      <Skeleton lines={6} label="Loading the keys" />
    </Panel>
  )
}

interface NewKeyProps {
  created: Schemas['CreatedApiKey']
  onSaved: () => void
}

/** A key that was just created: its secret, shown only now, and a command that tests it. */
function NewKey({ created, onSaved }: NewKeyProps) {
  const { displayName, key, scope, expiresAt, permissions } = created
  const isReadOnly = permissions.length === 0
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useUnloadWarning()
  const expiry =
    expiresAt === null ? 'never expires' : `works through the end of ${dayText(expiresAt)}, UTC`
  return (
    <section
      aria-labelledby="new-key"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div>
        <h2
          id="new-key"
          ref={heading}
          tabIndex={-1}
          className="user-text line-clamp-3 text-lg outline-none"
        >
          API key "{displayName}" created
        </h2>
        <p className="text-muted">
          {KEY_SCOPES[scope].title}; it {expiry}.
        </p>
      </div>
      <Notice tone="caution" title="The secret is shown only now">
        Store it where your program reads it, in a secret store and not in a repository. Portbook
        keeps only a hash.
      </Notice>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Secret</h3>
        <CodeBlock text={key} label="Secret of the new key" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Test the key</h3>
        <CodeBlock text={testCommand(window.location.origin)} label="Command that tests the key" />
        <p className="text-sm text-muted">
          Run it in bash or zsh, paste the secret and press Enter. The secret does not appear on the
          screen or in the history of the shell. The answer lists data products.
          {!isReadOnly &&
            ' The command only reads; the key can also do what its permissions allow.'}
        </p>
      </div>
      <Button look="primary" className="justify-self-start" onClick={onSaved}>
        I have saved it
      </Button>
      <NextStep />
    </section>
  )
}

// One command: pasted lines of a second one would be read as the secret.
function testCommand(origin: string): string {
  return [
    'read -rs PORTBOOK_API_KEY && \\',
    `curl -H "x-api-key: $PORTBOOK_API_KEY" '${origin}/api/search?resourceType=DATA_PRODUCT&limit=5'`,
  ].join('\n')
}

// Closing the tab would lose the secret, so the browser asks first.
function useUnloadWarning(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
