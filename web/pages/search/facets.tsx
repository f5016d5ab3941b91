import { useState } from 'react'
import { useCertifications, type Certification } from '../../api/certifications.ts'
import { useCustomFilters, type CustomFilter } from '../../api/custom-filters.ts'
import type { Schemas } from '../../api/client.ts'
import { useTeams } from '../../api/teams.ts'
import { resolveDomain } from '../../documents/team-link.tsx'
import { toStatusLabel } from '../../parts/status-label.ts'
import { Button } from '../../parts/button.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { numberText } from '../../parts/number-text.ts'
import { FILTERS, splitPair, type FilterName, type SearchState } from './filters.ts'

const SHOWN_MAX = 7

interface FacetsProps {
  facets: NonNullable<Schemas['SearchFacets']>
  state: SearchState
  onToggle: (name: FilterName, value: string) => void
  onClear: (name: FilterName) => void
}

/** The filters; each value has the number of its results. */
export function Facets({ facets, state, onToggle, onClear }: FacetsProps) {
  const teams = useTeams() ?? []
  const nameOfDomain = (domain: string): string => resolveDomain(teams, domain).name
  const certifications = useCertifications(facets.tag.length > 0)
  const certified = listCertified(facets.tag, certifications)
  const custom = listCustomBoxes(useCustomFilters().filters, facets)
  const getLabels: Readonly<Partial<Record<string, (label: string) => string>>> = {
    domain: nameOfDomain,
    status: toStatusLabel,
  }
  const displayed = FILTERS.filter(({ facet }) => facets[facet].length > 0)
  return (
    <div className="grid content-start gap-1">
      {certified.length > 0 && (
        <FacetBox
          title="Certification"
          getLabel={undefined}
          values={certified}
          chosen={state.tag.filter((tag) => certifications.some((one) => one.tag === tag))}
          onToggle={(value) => onToggle('tag', value)}
          onClear={undefined}
        />
      )}
      {displayed.map(({ name, facet, title }) => (
        <FacetBox
          key={name}
          title={title}
          getLabel={getLabels[facet]}
          values={facets[facet]}
          chosen={state[name]}
          onToggle={(value) => onToggle(name, value)}
          onClear={() => onClear(name)}
        />
      ))}
      {custom.map(({ displayName, customField, values }) => (
        <FacetBox
          key={customField}
          title={displayName}
          getLabel={undefined}
          values={values}
          chosen={state.custom
            .map(splitPair)
            .flatMap(({ field, value }) => (field === customField ? [value] : []))}
          onToggle={(value) => onToggle('custom', `${customField}=${value}`)}
          onClear={undefined}
        />
      ))}
    </div>
  )
}

// A tag gives a certification, so its filter is one of tags.
function listCertified(
  tags: FacetBoxProps['values'],
  certifications: readonly Certification[],
): Schemas['SearchFacetValue'][] {
  return certifications.flatMap(({ tag, name }) => {
    const value = tags.find((one) => one.value === tag)
    return value === undefined ? [] : [{ ...value, label: name }]
  })
}

// Two filters may name the same field, which is then shown once.
function listCustomBoxes(
  filters: readonly CustomFilter[],
  facets: FacetsProps['facets'],
): (CustomFilter & Pick<FacetBoxProps, 'values'>)[] {
  return facets.custom.flatMap(({ field, values }) => {
    const filter = filters.find(({ customField }) => customField === field)
    const displayName = filter?.displayName ?? field
    return values.length === 0 ? [] : [{ displayName, customField: field, values }]
  })
}

interface FacetBoxProps {
  title: string
  /** Undefined = the labels are shown as they are. */
  getLabel: ((label: string) => string) | undefined
  values: readonly Schemas['SearchFacetValue'][]
  chosen: readonly string[]
  onToggle: (value: string) => void
  /** Undefined = the values are cleared one by one. */
  onClear: (() => void) | undefined
}

function FacetBox({ title, getLabel, values, chosen, onToggle, onClear }: FacetBoxProps) {
  const [areAllShown, showAll] = useState(false)
  const shown = values.filter(
    ({ value }, at) => areAllShown || at < SHOWN_MAX || chosen.includes(value),
  )
  return (
    <details open className="group border-b border-line py-2 last:border-0">
      <summary className="flex min-h-7 items-center justify-between gap-2 rounded font-medium marker:content-none">
        <span>
          <span aria-hidden className="mr-1.5 inline-block text-faint group-open:rotate-90">
            ›
          </span>
          <span className="user-text">{title}</span>
        </span>
        {chosen.length > 0 && <span className="text-sm text-accent">{chosen.length} selected</span>}
      </summary>
      <fieldset className="mt-1 grid gap-0.5 pl-1">
        <legend className="sr-only">{title}</legend>
        {shown.map(({ value, label, count }) => (
          <Checkbox
            key={value}
            className="min-h-7 items-center! [&>input]:mt-0! [&>label]:min-w-0 [&>label]:flex-1"
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
            label={
              <span className="flex min-w-0 items-baseline justify-between gap-2">
                <span className="user-text line-clamp-2 min-w-0">{getLabel?.(label) ?? label}</span>
                <span className="figures text-sm text-muted">{numberText(count)}</span>
              </span>
            }
          />
        ))}
      </fieldset>
      <div className="flex gap-1">
        {values.length > shown.length && (
          <Button look="quiet" className="min-h-7! px-1! text-sm!" onClick={() => showAll(true)}>
            Show {values.length - shown.length} more
          </Button>
        )}
        {chosen.length > 0 && onClear !== undefined && (
          <Button look="quiet" className="min-h-7! px-1! text-sm!" onClick={onClear}>
            Clear <span className="sr-only">{title}</span>
          </Button>
        )}
      </div>
    </details>
  )
}
