import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { toggleKey } from '../../parts/toggle.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { DeleteKeysDialog } from './delete-keys-dialog.tsx'
import { getColumns } from './key-columns.tsx'
import { KeyFilter } from './key-filter.tsx'
import { matching, USUAL_FILTER } from './key-match.ts'

type ApiKey = Schemas['UiApiKey']

interface KeyListProps {
  keys: readonly ApiKey[]
  /** All keys of the organization, visible or not. */
  count: number
  max: number
  onCreate: () => void
}

const getId = (key: ApiKey): string => key.organizationApiKeyId

/** The keys with their filter, which is in the address. Several can be selected and deleted. */
export function KeyList({ keys, count, max, onCreate }: KeyListProps) {
  const [filter, setFilter] = useUrlState(USUAL_FILTER)
  const [deleting, setDeleting] = useState<readonly ApiKey[]>([])
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const shown = matching(keys, filter)
  const deletable = shown.filter(({ mayDelete }) => mayDelete)
  const selected = deletable.filter((key) => selectedIds.has(getId(key)))
  const select = (key: ApiKey): void => setSelectedIds(toggleKey(selectedIds, getId(key)))
  return (
    <Panel
      title="Keys"
      marks={shown.length === keys.length ? keys.length : `${shown.length} of ${keys.length}`}
      actions={
        <span className="text-sm text-muted">
          {count} of {max} keys of the organization
        </span>
      }
      flush
    >
      {keys.length > 0 && <KeyFilter keys={keys} filter={filter} onChange={setFilter} />}
      {deletable.length > 1 && (
        <Selection
          count={selected.length}
          of={deletable.length}
          onSelectAll={(isOn) => setSelectedIds(new Set(isOn ? deletable.map(getId) : []))}
          onDelete={() => setDeleting(selected)}
        />
      )}
      {shown.length === 0 ? (
        <NoKeys
          isFiltered={keys.length > 0}
          onCreate={onCreate}
          onClear={() => setFilter(USUAL_FILTER)}
        />
      ) : (
        <Table
          label="API keys"
          columns={getColumns({
            isSelected: (key) => selectedIds.has(getId(key)),
            onSelect: deletable.length > 1 ? select : undefined,
            onDelete: (key) => setDeleting([key]),
          })}
          rows={shown}
          getKey={getId}
        />
      )}
      {deleting.length > 0 && (
        <DeleteKeysDialog
          apiKeys={deleting}
          onClose={() => setDeleting([])}
          onDeleted={() => setSelectedIds(new Set())}
        />
      )}
    </Panel>
  )
}

interface SelectionProps {
  count: number
  /** The number of keys that can be selected. */
  of: number
  onSelectAll: (isOn: boolean) => void
  onDelete: () => void
}

function Selection({ count, of, onSelectAll, onDelete }: SelectionProps) {
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
      <Checkbox
        label={count === 0 ? 'Select all' : `${count} selected`}
        aria-label="Select all keys in the list"
        checked={count === of}
        onChange={({ target }) => onSelectAll(target.checked)}
      />
      {count > 0 && (
        <Button icon={Trash2} onClick={onDelete}>
          Delete selected
        </Button>
      )}
    </div>
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
        action={<Button onClick={onClear}>Clear filter</Button>}
      >
        Choose another scope, team or expiry.
      </Empty>
    )
  }
  return (
    <Empty
      icon={KeyRound}
      title="No API keys yet"
      action={
        <Button look="primary" onClick={onCreate}>
          Create API key
        </Button>
      }
    >
      With a key, a program uses the API. Start with a personal, read-only key; give a pipeline a
      key of its team.
    </Empty>
  )
}
