import { Select } from './field.tsx'

interface SortChoiceProps {
  /** Values with their titles. */
  sorts: readonly (readonly [value: string, title: string])[]
  value: string
  onChange: (value: string) => void
}

/** The order of a list. */
export function SortChoice({ sorts, value, onChange }: SortChoiceProps) {
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      Sort by
      <Select
        className="w-auto! text-ink"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      >
        {sorts.map(([one, title]) => (
          <option key={one} value={one}>
            {title}
          </option>
        ))}
      </Select>
    </label>
  )
}
