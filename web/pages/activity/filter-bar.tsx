import { api, type Answer } from '../../api/client.ts'
import { useTeams } from '../../api/teams.ts'
import { Button } from '../../parts/button.tsx'
import { capitalize } from '../../parts/capitalize.ts'
import { classNames } from '../../parts/class-names.ts'
import { toChoices, type Choice } from '../../parts/choices.ts'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { getLevelLabel } from '../../parts/status.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { KINDS, LEVELS, NO_FILTERS, type ActivityFilters } from './filters.ts'

const FIELDS: readonly FieldRecord<keyof ActivityFilters>[] = [
  {
    name: 'kind',
    kind: 'choice',
    title: 'Kind',
    choices: toChoices(KINDS, 'All kinds'),
    className: 'sm:w-40',
  },
  { name: 'team', kind: 'choice', title: 'Team', className: 'sm:w-40' },
  { name: 'actor', kind: 'choice', title: 'Made by', className: 'sm:w-48' },
  { name: 'from', title: 'From', className: 'sm:w-36', control: { type: 'date' } },
  { name: 'to', title: 'To', className: 'sm:w-36', control: { type: 'date' } },
]

interface FilterBarProps {
  filters: ActivityFilters
  onChange: (patch: Partial<ActivityFilters>) => void
}

/** The filters of the activity page. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const teams = toTeamChoices(useTeams() ?? [], filters.team)
  const { data: actors = [] } = api.useQuery(
    'get',
    '/ui/activity/actors',
    {},
    { staleTime: 60_000 },
  )
  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <div className="mb-4 grid gap-3">
      <LevelChoice level={filters.level} onChange={(level) => onChange({ level })} />
      <div className="grid grid-cols-2 items-end gap-x-3 gap-y-2 sm:flex sm:flex-wrap">
        <FormFields
          fields={FIELDS}
          values={filters}
          onChange={onChange}
          overrides={{
            team: { choices: [{ value: '', label: 'All teams' }, ...teams] },
            actor: { choices: listActors(actors, filters.actor) },
          }}
        />
        {isFiltered && (
          <Button look="quiet" onClick={() => onChange(NO_FILTERS)}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  )
}

interface LevelChoiceProps {
  level: string
  onChange: (level: string) => void
}

function LevelChoice({ level, onChange }: LevelChoiceProps) {
  return (
    <div role="group" aria-label="Level" className="flex flex-wrap gap-1">
      {['', ...LEVELS].map((value) => {
        const isChosen = value === level
        const label = value === '' ? 'All changes' : getLevelLabel(value)
        return (
          <button
            key={value}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChange(value)}
            className={classNames(
              'min-h-8 rounded-full border px-3 transition-colors first-letter:uppercase',
              isChosen
                ? 'border-transparent bg-accent-soft font-medium text-accent'
                : 'border-line text-muted hover:bg-hover hover:text-ink',
            )}
          >
            {capitalize(label)}
          </button>
        )
      })}
    </div>
  )
}

function listActors(actors: Answer<'/ui/activity/actors', 'get'>, chosen: string): Choice[] {
  const group = (prefix: string, title: string): Choice[] =>
    actors
      .filter(({ principal }) => principal.startsWith(prefix))
      .map(({ principal, name }) => ({ value: principal, label: name, group: title }))
  const choices: Choice[] = [
    { value: '', label: 'Everyone' },
    { value: 'system', label: 'Portbook (scheduled)' },
    ...group('user:', 'People'),
    ...group('api-key:', 'API keys'),
  ]
  const isListed = choices.some(({ value }) => value === chosen)
  return isListed ? choices : [...choices, { value: chosen, label: chosen }]
}
