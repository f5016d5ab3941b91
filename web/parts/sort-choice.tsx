import { toChoices } from './choices.ts'
import { Combobox } from './combobox.tsx'

interface SortChoiceProps {
  /** Values with their titles. */
  sorts: readonly (readonly [value: string, title: string])[]
  value: string
  onChange: (value: string) => void
}

/** The order of a list. */
export function SortChoice({ sorts, value, onChange }: SortChoiceProps) {
  return (
    <div className="flex items-center gap-2 text-sm text-muted">
      Sort by
      <Combobox
        aria-label="Sort by"
        className="w-44 text-ink"
        value={value}
        choices={toChoices(sorts)}
        onChange={onChange}
      />
    </div>
  )
}
