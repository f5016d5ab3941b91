import { useTeams } from '../../api/teams.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { NameLink } from '../../parts/link.tsx'
import { paths } from '../../paths.ts'
import { DRIFT_URL_STATE, isFiltered, LEVELS, type DriftUrlState } from './url-state.ts'

interface FiltersProps {
  state: DriftUrlState
  set: (patch: Partial<DriftUrlState>) => void
}

/** The filters of the list. A contract, an asset and a source are named by links from their pages. */
export function Filters({ state, set }: FiltersProps) {
  const teams = useTeams() ?? []
  const { contract, asset, integration, level, team } = state
  const named = [
    ['contract', 'Data contract', contract, paths.dataContract(contract, { view: 'reality' })],
    ['asset', 'Asset', asset, paths.asset(asset)],
    ['integration', 'Integration', integration, paths.integration(integration)],
  ] as const
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <ChoiceField
        label="Team"
        className="w-full sm:w-56"
        value={team}
        choices={[
          { value: '', label: 'All teams' },
          ...teams.map(({ id, name }) => ({ value: id, label: name, detail: id })),
        ]}
        onChange={(value) => set({ team: value, p: '' })}
      />
      <ChoiceField
        label="Level"
        className="w-full sm:w-52"
        value={level}
        choices={toChoices(LEVELS)}
        onChange={(value) => set({ level: value, p: '' })}
      />
      {named.map(
        ([name, label, value, href]) =>
          value !== '' && (
            <span key={name} className="grid min-w-0 gap-1">
              <span className="text-sm font-medium">{label}</span>
              <span className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-2">
                <NameLink href={href} name={value} lines={1} />
                <Button
                  look="quiet"
                  aria-label={`Remove the filter ${label}`}
                  onClick={() => set({ [name]: '', p: '' })}
                >
                  Remove
                </Button>
              </span>
            </span>
          ),
      )}
      {isFiltered(state) && (
        <Button look="quiet" onClick={() => set({ ...DRIFT_URL_STATE, status: state.status })}>
          Clear filters
        </Button>
      )}
    </div>
  )
}
