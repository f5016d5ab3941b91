import { toChoices } from './choices.ts'
import { Combobox, type ComboboxProps } from './combobox.tsx'
import { Field, type ControlProps, type LabelProps } from './field.tsx'

interface ChoiceFieldProps
  extends LabelProps, Omit<ComboboxProps, keyof LabelProps | keyof ControlProps> {}

/** A labelled combobox. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, hint, error, field, optional, className, ...choice } = props
  return (
    <Field {...{ label, hint, error, field, optional, className }}>
      {(control) => <Combobox {...control} {...choice} />}
    </Field>
  )
}

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
