import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, type Answer, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'

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
