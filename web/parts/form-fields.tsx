import { Fragment, type InputHTMLAttributes, type ReactNode } from 'react'
import type { Choice } from './choices.ts'
import { Combobox } from './combobox.tsx'
import { Checkbox, Field, Input, RadioGroup, TextArea, type ControlProps } from './field.tsx'
import { Form, SubmitButton, type FormProps } from './form.tsx'
import type { ShownProblem } from './notice.tsx'
import { TagInput } from './tag-input.tsx'

/** One field of a form: its control, its texts, its limits, and the value of the form that it edits. */
export interface FieldRecord<Name extends string = string> {
  name: Name
  /** A line of text by default; `options` are radio buttons. */
  kind?: 'text' | 'long-text' | 'yes-no' | 'choice' | 'options' | 'tags'
  title: string
  hint?: ReactNode
  /** The error found in the browser, as a sentence. */
  error?: string | undefined
  optional?: boolean
  isHidden?: boolean
  /** The values of a choice or of options. */
  choices?: readonly (Choice & { hint?: string })[]
  /** Whether a text that is not a choice can be entered. */
  allowsOther?: boolean
  /** Whether a choice can be emptied. */
  isClearable?: boolean
  /** The limits and other attributes of the control. */
  control?: InputHTMLAttributes<HTMLElement> & { rows?: number }
  /** The name under which the server reports violations; `name` by default. */
  field?: string
  /** The classes of the row that a field shares with its neighbours. */
  row?: string
  className?: string
}

/** The row of two fields beside each other, one below the other where the page is narrow. */
export const PAIR = 'grid gap-4 sm:grid-cols-2'

interface FormFieldsProps<Values extends object> {
  fields: readonly FieldRecord<keyof Values & string>[]
  values: Values
  onChange: (values: Values, changed: keyof Values & string) => void
  /** The path of the object of the fields, if violations have one. */
  path?: string
  /** The members of records that depend on the state of the page, such as choices, hints and errors. */
  overrides?: { readonly [Name in keyof Values]?: Partial<FieldRecord> }
  /** Inputs that a page has for some fields, by name. */
  inputs?: { readonly [Name in keyof Values]?: ReactNode }
}

/** The fields of a form, in the order of their declarations. */
export function FormFields<Values extends object>(props: FormFieldsProps<Values>) {
  const { values, onChange, inputs = {} } = props
  const rows = [...Map.groupBy(listRecords(props), ({ row, name }) => row ?? name)]
  return rows.map(([key, members]) => {
    const controls = members.map((record) => {
      const { name } = record
      const own: ReactNode = Reflect.get(inputs, name)
      if (own !== undefined) return <Fragment key={name}>{own}</Fragment>
      return (
        <FormField
          key={name}
          record={record}
          value={Reflect.get(values, name)}
          onChange={(value) => onChange({ ...values, [name]: value }, name)}
        />
      )
    })
    if (members[0]?.row === undefined) return controls
    return (
      <div key={key} className={key}>
        {controls}
      </div>
    )
  })
}

// The visible fields as they are now.
function listRecords<Values extends object>({
  fields,
  overrides = {},
  path,
}: FormFieldsProps<Values>) {
  return fields.flatMap((declared) => {
    const override: Partial<FieldRecord> | undefined = Reflect.get(overrides, declared.name)
    const control = { ...declared.control, ...override?.control }
    const record = { ...declared, ...override, name: declared.name }
    const { field = record.name } = record
    const named = { ...record, control, field: path === undefined ? field : `${path}.${field}` }
    return record.isHidden === true ? [] : [named]
  })
}

interface InputFormProps<Values extends object>
  extends FormFieldsProps<Values>, Omit<FormProps, 'fields' | 'problem' | 'children'> {
  /** The label of the button that sends it. */
  action: string
  /** The action that sends it; absent = the page keeps the values. */
  sending?: { isPending: boolean; problem: ShownProblem | undefined }
  /** Why it cannot be sent; undefined = it can. */
  reason?: string | undefined
  /** Content between the fields and the button. */
  children?: ReactNode
}

/** A form of declared fields, with a button that sends it. Each field shows its own violations. */
export function InputForm<Values extends object>(props: InputFormProps<Values>) {
  const { action, sending, reason, children, ...rest } = props
  const { label, takesFocus = false, onSubmit, ...form } = rest
  const names = listRecords(form).map(({ field }) => field)
  return (
    <Form {...{ label, takesFocus, onSubmit }} problem={sending?.problem} fields={names}>
      <FormFields {...form} />
      {children}
      <SubmitButton busy={sending?.isPending === true} reason={reason}>
        {action}
      </SubmitButton>
    </Form>
  )
}

interface FormFieldProps {
  record: FieldRecord
  value: unknown
  onChange: (value: string | boolean | readonly string[]) => void
}

function FormField({ record, value, onChange }: FormFieldProps) {
  const { kind = 'text', title, hint, error, optional, field, className, choices = [] } = record
  const label = { label: title, hint, error, optional, field, className }
  const text = typeof value === 'string' ? value : ''
  switch (kind) {
    case 'yes-no':
      return (
        <Checkbox
          className={className}
          label={title}
          hint={error === undefined ? hint : <span className="text-critical">{error}</span>}
          disabled={record.control?.disabled}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked)}
        />
      )
    case 'options':
      return (
        <RadioGroup
          label={title}
          name={record.name}
          value={text}
          options={choices}
          onChange={onChange}
        />
      )
    case 'tags': {
      const tags: readonly string[] = Array.isArray(value) ? value : []
      return (
        <TagInput
          {...label}
          tags={tags}
          onAdd={(tag) => onChange([...tags, tag])}
          onRemove={(at) => onChange(tags.toSpliced(at, 1))}
        />
      )
    }
    case 'choice':
    case 'long-text':
    case 'text':
      return (
        <Field {...label}>
          {(control) => <TextControl {...{ record, control, text, onChange }} />}
        </Field>
      )
  }
}

interface TextControlProps {
  record: FieldRecord
  /** The attributes that connect it with its label. */
  control: ControlProps
  text: string
  onChange: (text: string) => void
}

function TextControl({ record, control, text, onChange }: TextControlProps) {
  const { kind, choices = [], control: attributes = {} } = record
  if (kind === 'choice') {
    const { required = false, disabled = false, placeholder } = attributes
    return (
      <Combobox
        {...control}
        {...{ choices, required, disabled, placeholder, onChange }}
        aria-required={attributes['aria-required'] === true || undefined}
        allowsOther={record.allowsOther === true}
        isClearable={record.isClearable === true}
        value={text}
      />
    )
  }
  const Control = kind === 'long-text' ? TextArea : Input
  return (
    <Control
      {...control}
      {...attributes}
      value={text}
      onChange={({ target }: { target: { value: string } }) => onChange(target.value)}
    />
  )
}
