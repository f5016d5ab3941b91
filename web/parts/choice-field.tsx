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
