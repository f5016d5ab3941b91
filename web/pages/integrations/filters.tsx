import { useSources } from '../../api/sources.ts'
import { useTeams } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { RUN_STATUSES } from '../../parts/status.tsx'

/** The filters of the list, kept in the address. */
export type Filter = typeof USUAL_FILTER

/** No filters. */
export const USUAL_FILTER = { owner: '', source: '', enabled: '', state: '', p: '', shown: '' }

const STATES = [...RUN_STATUSES, ['held', 'Held deletes'], ['never', 'Never run']] as const

interface FiltersProps {
  filter: Filter
  onChange: (patch: Partial<Filter>) => void
}

/** The filters of the list by owner, platform, schedule and last run. */
export function Filters({ filter, onChange }: FiltersProps) {
  const sources = useSources()
  const teams = useTeams()
  const platforms = (sources.data ?? []).map(({ source, title }) => [source, title] as const)
  const owners = (teams ?? []).map(({ id, name }) => [id, name] as const)
  // A changed filter starts on the first page.
  const set = (name: 'owner' | 'source' | 'enabled' | 'state') => (value: string) =>
    onChange({ [name]: value, p: '', shown: '' })
  return (
    <search className="mb-4 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
      <Choice title="Owner" value={filter.owner} options={owners} onChange={set('owner')} />
      <Choice title="Platform" value={filter.source} options={platforms} onChange={set('source')} />
      <Choice title="Last run" value={filter.state} options={STATES} onChange={set('state')} />
      <Choice
        title="Schedule"
        value={filter.enabled}
        options={[
          ['true', 'On'],
          ['false', 'Off'],
        ]}
        onChange={set('enabled')}
      />
    </search>
  )
}

interface ChoiceProps {
  title: string
  value: string
  options: readonly (readonly [value: string, title: string])[]
  onChange: (value: string) => void
}

function Choice({ title, value, options, onChange }: ChoiceProps) {
  return (
    <ChoiceField
      label={title}
      className="min-w-0 sm:w-44"
      value={value}
      choices={toChoices(options, 'All')}
      onChange={onChange}
    />
  )
}
