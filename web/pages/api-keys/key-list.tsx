import { KeyRound, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Panel } from '../../parts/page.tsx'
import { SortedTable } from '../../parts/table-sort.tsx'
import { toggleKey } from '../../parts/toggle.ts'
import { EmptyList } from '../../shell/empty-list.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { DeleteKeysDialog } from './delete-keys-dialog.tsx'
import { getColumns } from './key-columns.tsx'
import { SCOPES } from './key-draft.ts'

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
  const [deletingIds, setDeletingIds] = useState<ReadonlySet<string>>(new Set())
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const shown = matching(keys, filter)
  const deletable = shown.filter(({ mayDelete }) => mayDelete)
  const selected = deletable.filter((key) => selectedIds.has(getId(key)))
  // Those that are deleted already leave the dialog, if others could not be deleted.
  const deleting = keys.filter((key) => deletingIds.has(getId(key)))
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
          onDelete={() => setDeletingIds(new Set(selected.map(getId)))}
        />
      )}
      {shown.length === 0 ? (
        <NoKeys
          isFiltered={keys.length > 0}
          onCreate={onCreate}
          onClear={() => setFilter({ ...USUAL_FILTER, sort: filter.sort })}
        />
      ) : (
        <SortedTable
          label="API keys"
          sort={filter.sort}
          onSort={(sort) => setFilter({ sort })}
          columns={getColumns({
            isSelected: (key) => selectedIds.has(getId(key)),
            onSelect: deletable.length > 1 ? select : undefined,
            onDelete: (key) => setDeletingIds(new Set([getId(key)])),
          })}
          rows={shown}
          getKey={getId}
        />
      )}
      {deleting.length > 0 && (
        <DeleteKeysDialog
          apiKeys={deleting}
          onClose={() => setDeletingIds(new Set())}
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
  return (
    <EmptyList
      icon={KeyRound}
      things="keys"
      filter={{
        isSet: isFiltered,
        clear: onClear,
        advice: 'Choose another scope, team or expiry.',
      }}
      title="No API keys yet"
      action={
        <Button look="primary" onClick={onCreate}>
          Create API key
        </Button>
      }
    >
      With a key, a program uses the API. Start with a personal, read-only key; give a pipeline a
      key of its team.
    </EmptyList>
  )
}

interface KeyFilterProps {
  keys: readonly Schemas['UiApiKey'][]
  filter: KeyFilterState
  onChange: (patch: Partial<KeyFilterState>) => void
}

const EXPIRIES = [
  ['no', 'Not expired'],
  ['yes', 'Expired'],
] as const

/** Filters the list by scope, team and expiry. */
function KeyFilter({ keys, filter, onChange }: KeyFilterProps) {
  const scopes = SCOPES.map((scope) => [scope, KEY_SCOPES[scope].title] as const)
  const teams = listTeamsWithKeys(keys).map(({ id, name }) => ({
    value: id,
    label: name,
    detail: id,
  }))
  const filters = [
    { name: 'scope', label: 'Scope', choices: toChoices(scopes, 'Any') },
    { name: 'team', label: 'Team', choices: [...toChoices([], 'Any, or none'), ...teams] },
    { name: 'expired', label: 'Expiry', choices: toChoices(EXPIRIES, 'Any') },
  ] as const
  return (
    <search
      className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3 sm:flex sm:flex-wrap"
      aria-label="Filter keys"
    >
      {filters.map(({ name, label, choices }) => (
        <ChoiceField
          key={name}
          label={label}
          className="min-w-0 sm:w-48"
          value={filter[name]}
          choices={choices}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
    </search>
  )
}

/** The filter as the address keeps it; empty texts = all. */
const USUAL_FILTER = { scope: '', team: '', expired: '', sort: '' }

/** A filter of keys with their order. `team` is the id of a team; `expired` is `yes`, `no` or empty. */
type KeyFilterState = typeof USUAL_FILTER

/** Returns the keys that match, in their order. */
function matching(
  keys: readonly Schemas['UiApiKey'][],
  { scope, team, expired }: KeyFilterState,
): Schemas['UiApiKey'][] {
  return keys.filter(
    (key) =>
      (scope === '' || key.scope === scope) &&
      (team === '' || key.teamId === team) &&
      (expired === '' || key.expired === (expired === 'yes')),
  )
}

/** Returns the teams that have keys, by name. */
function listTeamsWithKeys(keys: readonly Schemas['UiApiKey'][]): { id: string; name: string }[] {
  const names = new Map<string, string>()
  for (const { teamId, teamName } of keys)
    if (teamId !== null) names.set(teamId, teamName ?? teamId)
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
