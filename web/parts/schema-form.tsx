import { Combobox } from './combobox.tsx'
import { Checkbox, Field, Input, TextArea, type ControlProps } from './field.tsx'
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
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {fields
        .filter((field) => doesApply(field, values))
        .map((field) => (
          <SchemaField
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={(value) => onChange(field.name, value)}
            error={messageFor(violations, `${path}.${field.name}`)}
          />
        ))}
    </div>
  )
}

interface SchemaFieldProps {
  field: FormField
  value: string | boolean
  onChange: (value: string | boolean) => void
  error: string | undefined
}

function SchemaField({ field, value, onChange, error }: SchemaFieldProps) {
  const { kind, title, hint, required } = field
  if (kind === 'yes-no') {
    const told = error === undefined ? hint : <span className="text-critical">{error}</span>
    return (
      <Checkbox
        className="sm:col-span-2"
        label={title}
        hint={told}
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    )
  }
  const isWide = kind === 'long-text' || kind === 'lines' || kind === 'address'
  return (
    <Field
      label={title}
      optional={!required && field.usual === undefined}
      error={error}
      hint={hint}
      className={isWide ? 'sm:col-span-2' : undefined}
    >
      {(control) => (
        <SchemaControl field={field} control={control} text={String(value)} onChange={onChange} />
      )}
    </Field>
  )
}

interface SchemaControlProps {
  field: FormField
  control: ControlProps
  text: string
  onChange: (value: string) => void
}

function SchemaControl({ field, control, text, onChange }: SchemaControlProps) {
  const { kind, choices, example, required } = field
  const common = {
    ...control,
    name: field.name,
    value: text,
    'aria-required': required || undefined,
    // Settings of a source are not the person's own data.
    autoComplete: 'off',
    spellCheck: false,
  }
  if (kind === 'choice') {
    return (
      <Combobox
        {...control}
        name={field.name}
        aria-required={required || undefined}
        value={text}
        choices={choices.map(({ value, title }) => ({ value, label: title }))}
        onChange={onChange}
      />
    )
  }
  if (kind === 'long-text' || kind === 'lines') {
    return (
      <TextArea
        {...common}
        placeholder={example}
        className="font-mono"
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <Input
      {...common}
      placeholder={example}
      {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
