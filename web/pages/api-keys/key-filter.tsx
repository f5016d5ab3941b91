import type { Schemas } from '../../api/client.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { listTeamsWithKeys, type KeyFilterState } from './key-match.ts'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { SCOPES } from './scopes.ts'

interface KeyFilterProps {
  keys: readonly Schemas['UiApiKey'][]
  filter: KeyFilterState
  onChange: (patch: Partial<KeyFilterState>) => void
}

/** Filters the list by scope, team and expiry. */
export function KeyFilter({ keys, filter, onChange }: KeyFilterProps) {
  const teams = listTeamsWithKeys(keys)
  return (
    <div
      className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3 sm:flex sm:flex-wrap"
      role="search"
      aria-label="Filter keys"
    >
      <ChoiceField
        label="Scope"
        className="min-w-0 sm:w-48"
        value={filter.scope}
        choices={[
          { value: '', label: 'Any' },
          ...SCOPES.map((scope) => ({ value: scope, label: KEY_SCOPES[scope].title })),
        ]}
        onChange={(scope) => onChange({ scope })}
      />
      <ChoiceField
        label="Team"
        className="min-w-0 sm:w-48"
        value={filter.team}
        choices={[
          { value: '', label: 'Any, or none' },
          ...teams.map(({ id, name }) => ({ value: id, label: name, detail: id })),
        ]}
        onChange={(team) => onChange({ team })}
      />
      <ChoiceField
        label="Expiry"
        className="min-w-0 sm:w-48"
        value={filter.expired}
        choices={[
          { value: '', label: 'Any' },
          { value: 'no', label: 'Not expired' },
          { value: 'yes', label: 'Expired' },
        ]}
        onChange={(expired) => onChange({ expired })}
      />
    </div>
  )
}
