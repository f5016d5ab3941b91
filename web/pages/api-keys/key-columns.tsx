import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import { Status } from '../../parts/status.tsx'
import { sortByDate, sortByName } from '../../parts/sort-rows.ts'
import type { SortedColumn } from '../../parts/table-sort.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Time } from '../../parts/time.tsx'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { KeyLimitDialog } from './key-limit-dialog.tsx'
import { describeLimit } from './key-permissions.ts'

type ApiKey = Schemas['UiApiKey']

interface ColumnActions {
  isSelected: (key: ApiKey) => boolean
  /** Undefined = keys cannot be selected. */
  onSelect: ((key: ApiKey) => void) | undefined
  onDelete: (key: ApiKey) => void
}

/** Returns the columns of the list of keys. */
export function getColumns(actions: ColumnActions): SortedColumn<ApiKey>[] {
  return [
    {
      title: 'Name',
      sort: sortByName(({ displayName }) => displayName),
      className: 'min-w-44 max-w-96',
      cell: (key) => <Name apiKey={key} actions={actions} />,
    },
    {
      title: 'Scope',
      className: 'whitespace-nowrap',
      cell: (key) => <Scope {...key} />,
    },
    {
      title: 'Team or person',
      className: 'min-w-28 max-w-60',
      cell: ({ teamName, teamId, personName }) => (
        <span className="user-text line-clamp-2">
          {teamName ?? teamId ?? personName ?? 'All teams'}
        </span>
      ),
    },
    {
      title: 'Created',
      sort: sortByDate('created', 'Created', ({ createdAt }) => createdAt),
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
      sort: sortByDate('last-used', 'Last used', ({ lastUsedAt }) => lastUsedAt),
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="text-muted">never</span> : <Time at={lastUsedAt} />,
    },
    { title: 'Expires on', className: 'whitespace-nowrap', cell: Expiry },
    {
      title: 'Action',
      align: 'right',
      isAction: true,
      cell: (key) => (
        <IconButton
          label={`Delete ${key.displayName}`}
          icon={Trash2}
          iconSize={16}
          reason={
            key.mayDelete ? undefined : 'Only a person who may create this key may delete it.'
          }
          onClick={() => actions.onDelete(key)}
        />
      ),
    },
  ]
}

function Scope(apiKey: ApiKey) {
  const [isOpen, setOpen] = useState(false)
  const limit = describeLimit(apiKey)
  return (
    <>
      {KEY_SCOPES[apiKey.scope].title}
      {limit !== undefined && (
        <button
          type="button"
          aria-label={`${limit}, ${apiKey.displayName}`}
          className="block min-h-6 text-sm text-muted underline decoration-dotted underline-offset-2 hover:text-ink"
          onClick={() => setOpen(true)}
        >
          {limit}
        </button>
      )}
      {isOpen && <KeyLimitDialog apiKey={apiKey} onClose={() => setOpen(false)} />}
    </>
  )
}

function Name({ apiKey, actions }: { apiKey: ApiKey; actions: ColumnActions }) {
  const { displayName, secretPrefix, isMine, expired, mayDelete } = apiKey
  const { onSelect, isSelected } = actions
  const name = displayName === '' ? 'No name' : displayName
  return (
    <span className="flex items-start gap-2">
      {onSelect !== undefined && (
        // The label is what one can hit: 24 px.
        <label className="-my-0.5 -ml-1 grid size-6 shrink-0 place-items-center">
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            className="size-4 accent-accent-solid"
            disabled={!mayDelete}
            checked={isSelected(apiKey)}
            onChange={() => onSelect(apiKey)}
          />
        </label>
      )}
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span
            className={
              expired ? 'user-text line-clamp-3 text-muted' : 'user-text line-clamp-3 font-medium'
            }
          >
            {name}
          </span>
          {isMine && <span className="text-xs text-muted">You</span>}
        </span>
        {secretPrefix !== null && <code className="text-sm text-muted">{secretPrefix}…</code>}
      </span>
    </span>
  )
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
