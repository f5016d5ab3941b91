import { useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyList } from './key-list.tsx'
import { NewKey } from './new-key.tsx'

const USUAL = { new: '' }
const FEW_LEFT = 10

/** The API keys that the person may see: make one, look through them, end one. */
export function ApiKeysPage() {
  const query = api.useQuery('get', '/ui/api-keys')
  const queries = useQueryClient()
  const [{ new: isNew }, setUrl] = useUrlState(USUAL)
  const [created, setCreated] = useState<Schemas['CreatedApiKey'] | undefined>(undefined)
  const open = (): void => setUrl({ new: 'key' })
  const close = (): void => setUrl({ new: '' }, { replace: true })
  const dismiss = (): void => {
    setCreated(undefined)
    // The button that was pressed goes, so the page itself takes the focus.
    document.getElementById('content')?.focus()
  }
  const isFull = query.data !== undefined && query.data.count >= query.data.max
  return (
    <Page
      title="API keys"
      facts="Programs sign in with a key: pipelines, scripts, connectors, agents."
      actions={
        <Button
          look="primary"
          icon={<Plus size={14} aria-hidden />}
          reason={
            isFull
              ? `The organization has ${query.data.max} keys, which is the most. Delete one first.`
              : undefined
          }
          onClick={open}
        >
          Create key
        </Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {/* It takes the focus, which the dialog holds as long as it is there. */}
        {created !== undefined && isNew === '' && <NewKey created={created} onSaved={dismiss} />}
        <Loaded query={query} skeleton={<KeysSkeleton />}>
          {({ keys, count, max }) => (
            <>
              {count > max - FEW_LEFT && <FewLeft count={count} max={max} />}
              <KeyList keys={keys} count={count} max={max} onCreate={open} />
            </>
          )}
        </Loaded>
      </div>
      {isNew === 'key' && (
        <CreateKeyDialog
          onClose={close}
          onCreated={(key) => {
            close()
            setCreated(key)
            void queries.invalidateQueries({ queryKey: ['get', '/ui/api-keys'] })
          }}
        />
      )}
    </Page>
  )
}

function FewLeft({ count, max }: { count: number; max: number }) {
  const left = max - count
  return (
    <Notice
      tone="caution"
      title={left <= 0 ? `All ${max} keys are in use` : `${left} of ${max} keys are left`}
    >
      Expired keys count until they are deleted. Filter for the expired ones, or for keys that
      nobody has used for long, and delete those.
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
