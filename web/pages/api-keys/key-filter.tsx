import type { Schemas } from '../../api/client.ts'
import { Field, Select } from '../../parts/field.tsx'
import { teamsOf, type KeyFilterState } from './key-match.ts'
import { SCOPES } from './scopes.ts'

interface KeyFilterProps {
  keys: readonly Schemas['UiApiKey'][]
  filter: KeyFilterState
  onChange: (patch: Partial<KeyFilterState>) => void
}

/** Filters the list by scope, team and expiry. */
export function KeyFilter({ keys, filter, onChange }: KeyFilterProps) {
  const teams = teamsOf(keys)
  const isKnown = filter.team === '' || teams.some(({ id }) => id === filter.team)
  return (
    <div
      className="grid grid-cols-2 gap-3 border-b border-line px-4 py-3 sm:flex sm:flex-wrap"
      role="search"
      aria-label="Filter the keys"
    >
      <Field label="Scope" className="min-w-0 sm:w-48">
        {(control) => (
          <Select
            {...control}
            value={filter.scope}
            onChange={(event) => onChange({ scope: event.target.value })}
          >
            <option value="">Any</option>
            {SCOPES.map(({ scope, title }) => (
              <option key={scope} value={scope}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Team" className="min-w-0 sm:w-48">
        {(control) => (
          <Select
            {...control}
            value={filter.team}
            onChange={(event) => onChange({ team: event.target.value })}
          >
            <option value="">Any, or none</option>
            {!isKnown && <option value={filter.team}>{filter.team}</option>}
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Expiry" className="min-w-0 sm:w-48">
        {(control) => (
          <Select
            {...control}
            value={filter.expired}
            onChange={(event) => onChange({ expired: event.target.value })}
          >
            <option value="">Any</option>
            <option value="no">Not expired</option>
            <option value="yes">Expired</option>
          </Select>
        )}
      </Field>
    </div>
  )
}
