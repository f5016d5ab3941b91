import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { dayText, Time } from '../../parts/time.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { DeleteKeyDialog } from './delete-key-dialog.tsx'
import { KeyFilter } from './key-filter.tsx'
import { matching, USUAL_FILTER } from './key-match.ts'
import { scopeTitle } from './scopes.ts'

type ApiKey = Schemas['UiApiKey']

interface KeyListProps {
  keys: readonly ApiKey[]
  /** All keys of the organization, seen or not. */
  count: number
  max: number
  onCreate: () => void
}

/** The keys with their filter, which stands in the address. */
export function KeyList({ keys, count, max, onCreate }: KeyListProps) {
  const [filter, setFilter] = useUrlState(USUAL_FILTER)
  const [ending, setEnding] = useState<ApiKey | undefined>(undefined)
  const shown = matching(keys, filter)
  return (
    <Panel
      title="Keys"
      marks={`${shown.length === keys.length ? keys.length : `${shown.length} of ${keys.length}`} shown`}
      actions={
        <span className="text-sm text-muted">
          {count} of {max} keys of the organization
        </span>
      }
      flush
    >
      {keys.length > 0 && <KeyFilter keys={keys} filter={filter} onChange={setFilter} />}
      {shown.length === 0 ? (
        <NoKeys
          isFiltered={keys.length > 0}
          onCreate={onCreate}
          onClear={() => setFilter(USUAL_FILTER)}
        />
      ) : (
        <Table
          label="API keys"
          columns={columnsOf(setEnding)}
          rows={shown}
          keyOf={(key) => key.organizationApiKeyId}
        />
      )}
      {ending !== undefined && (
        <DeleteKeyDialog apiKey={ending} onClose={() => setEnding(undefined)} />
      )}
    </Panel>
  )
}

function columnsOf(onDelete: (key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      title: 'Name',
      className: 'min-w-44 max-w-96',
      cell: ({ displayName, isMine, expired }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span
            className={
              expired ? 'user-text line-clamp-3 text-muted' : 'user-text line-clamp-3 font-medium'
            }
          >
            {displayName === '' ? 'Without a name' : displayName}
          </span>
          {isMine && <span className="text-xs text-muted">yours</span>}
        </span>
      ),
    },
    { title: 'Scope', className: 'whitespace-nowrap', cell: ({ scope }) => scopeTitle(scope) },
    {
      title: 'Of',
      className: 'min-w-28 max-w-60',
      cell: ({ teamName, teamId, personName }) => (
        <span className="user-text line-clamp-2">
          {teamName ?? teamId ?? personName ?? 'All teams'}
        </span>
      ),
    },
    {
      title: 'Created',
      className: 'min-w-32 max-w-60',
      cell: ({ createdAt, createdBy }) => (
        <>
          <Time at={createdAt} />
          <span className="user-text line-clamp-2 text-sm text-muted">by {createdBy}</span>
        </>
      ),
    },
    {
      title: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="text-muted">never</span> : <Time at={lastUsedAt} />,
    },
    { title: 'Expires', className: 'whitespace-nowrap', cell: Expiry },
    {
      title: 'Action',
      align: 'right',
      isAction: true,
      cell: (key) => (
        <IconButton
          label={`Delete ${key.displayName}`}
          icon={<Trash2 size={15} aria-hidden />}
          reason={key.mayDelete ? undefined : 'Only who could have made this key may delete it.'}
          onClick={() => onDelete(key)}
        />
      ),
    },
  ]
}

function Expiry({ expiresAt, expired }: ApiKey) {
  if (expiresAt === null) return <span className="text-muted">never</span>
  if (expired) return <Status tone="off">Expired {dayText(expiresAt)}</Status>
  return (
    <span className="figures" title={`Through the end of ${dayText(expiresAt)}, UTC`}>
      {dayText(expiresAt)}
    </span>
  )
}

interface NoKeysProps {
  isFiltered: boolean
  onCreate: () => void
  onClear: () => void
}

function NoKeys({ isFiltered, onCreate, onClear }: NoKeysProps) {
  if (isFiltered) {
    return (
      <Empty
        title="No key matches the filter"
        action={<Button onClick={onClear}>Clear the filter</Button>}
      >
        There are keys, but none of this kind.
      </Empty>
    )
  }
  return (
    <Empty
      icon={<KeyRound size={28} aria-hidden />}
      title="No keys yet"
      action={
        <Button look="primary" onClick={onCreate}>
          Create key
        </Button>
      }
    >
      A key lets a program use the API. Begin with a personal, read-only key to look around with{' '}
      <code>curl</code>; give a pipeline a key of its team.
    </Empty>
  )
}
