import { FormFields, type FieldRecord } from './form-fields.tsx'
import { doesApply, messageFor, type FormField, type FormValues } from './schema-form-values.ts'

interface SchemaFormProps {
  fields: readonly FormField[]
  values: FormValues
  onChange: (name: string, value: string | boolean) => void
  /** The violations, with the names of the fields below `path`. */
  violations: readonly { field: string; message: string }[]
  /** Under which name the values are sent: `configuration`. */
  path: string
}

/** A form made of a JSON Schema, a field for each property that counts. */
export function SchemaForm({ fields, values, onChange, violations, path }: SchemaFormProps) {
  const records = fields
    .filter((field) => doesApply(field, values))
    .map((field) => toRecord(field, messageFor(violations, `${path}.${field.name}`)))
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <FormFields
        fields={records}
        values={values}
        onChange={(next, name) => onChange(name, next[name] ?? '')}
      />
    </div>
  )
}

function toRecord(field: FormField, error: string | undefined): FieldRecord {
  const { name, kind, title, hint, example, choices, required, usual } = field
  const isText = kind === 'long-text' || kind === 'lines'
  const isWide = isText || kind === 'address' || kind === 'yes-no'
  return {
    name,
    title,
    hint,
    error,
    choices: choices.map((one) => ({ value: one.value, label: one.title })),
    optional: !required && usual === undefined,
    control: {
      placeholder: example,
      'aria-required': required || undefined,
      // Settings of a source are not the person's own data.
      autoComplete: 'off',
      spellCheck: false,
      ...(kind === 'number' && { inputMode: 'numeric' }),
      ...(isText && { className: 'font-mono' }),
    },
    ...(isWide && { className: 'sm:col-span-2' }),
    ...(isText && { kind: 'long-text' }),
    ...((kind === 'yes-no' || kind === 'choice') && { kind }),
  }
}
