import { Combobox, type ComboboxProps } from './combobox.tsx'
import { Field, type ControlProps, type LabelProps } from './field.tsx'

interface ChoiceFieldProps
  extends LabelProps, Omit<ComboboxProps, keyof LabelProps | keyof ControlProps> {}

/** A labelled combobox. */
export function ChoiceField({
  label,
  hint,
  error,
  optional,
  className,
  ...choice
}: ChoiceFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
      {(control) => <Combobox {...control} {...choice} />}
    </Field>
  )
}
