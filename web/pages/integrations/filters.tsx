import { useSources } from '../../api/sources.ts'
import { useTeams } from '../../api/teams.ts'
import { toChoices } from '../../parts/choices.ts'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { RUN_STATUSES } from '../../parts/status.tsx'

/** The filters of the list, kept in the address. */
export type Filter = typeof USUAL_FILTER

/** No filters. */
export const USUAL_FILTER = {
  owner: '',
  source: '',
  enabled: '',
  state: '',
  p: '',
  shown: '',
  sort: '',
}

const CHOICE = { kind: 'choice', className: 'min-w-0 sm:w-44' } as const

const STATES = [...RUN_STATUSES, ['held', 'Held deletes'], ['never', 'Never run']] as const
const SCHEDULES = [
  ['true', 'On'],
  ['false', 'Off'],
] as const

const FIELDS: readonly FieldRecord<keyof Filter>[] = [
  { ...CHOICE, name: 'owner', title: 'Owner' },
  { ...CHOICE, name: 'source', title: 'Platform' },
  { ...CHOICE, name: 'state', title: 'Last run', choices: toChoices(STATES, 'All') },
  { ...CHOICE, name: 'enabled', title: 'Schedule', choices: toChoices(SCHEDULES, 'All') },
]

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
  return (
    <search className="mb-4 grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
      <FormFields
        fields={FIELDS}
        values={filter}
        // A changed filter starts on the first page.
        onChange={(next) => onChange({ ...next, p: '', shown: '' })}
        overrides={{
          owner: { choices: toChoices(owners, 'All') },
          source: { choices: toChoices(platforms, 'All') },
        }}
      />
    </search>
  )
}
