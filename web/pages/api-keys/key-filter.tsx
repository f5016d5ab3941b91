import type { Schemas } from '../../api/client.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { listTeamsWithKeys, type KeyFilterState } from './key-match.ts'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { SCOPES } from './scopes.ts'

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
export function KeyFilter({ keys, filter, onChange }: KeyFilterProps) {
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
