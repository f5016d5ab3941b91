import { use, useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldMessagesContext } from './field-message.ts'

/** The attributes that connect a control with its label, hint and error. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** The label of a control and the texts below it. */
export interface LabelProps {
  label: string
  hint?: ReactNode
  /** The error, as a sentence. */
  error?: string | undefined
  /** The name of the field in the form: it shows the violations of this name. */
  field?: string | undefined
  optional?: boolean | undefined
  className?: string | undefined
}

interface FieldProps extends LabelProps {
  children: (control: ControlProps) => ReactNode
}

/** A labelled control: `<Field label="Name">{(control) => <Input {...control} />}</Field>`. */
export function Field(props: FieldProps) {
  const { label, hint, error, field, optional = false, className, children } = props
  const id = useId()
  const violation = useFieldError(field)
  const shown = use(FieldMessagesContext).invalid.get(id) ?? error ?? violation
  const described = [
    hint === undefined ? '' : `${id}-hint`,
    shown === undefined ? '' : `${id}-error`,
  ]
  return (
    <div className={classNames('grid content-start gap-1', className)}>
      <label htmlFor={id} data-label={label} className="text-sm font-medium">
        {label}
        {/* The space is for screen readers. */}
        {optional && <span className="ml-0.5 font-normal text-faint"> optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': described.join(' ').trim() || undefined,
        'aria-invalid': shown === undefined ? undefined : true,
      })}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="user-text text-sm text-muted">
          {hint}
        </div>
      )}
      {shown !== undefined && (
        <div id={`${id}-error`} role="alert" className="user-text text-sm text-critical">
          {shown}
        </div>
      )}
    </div>
  )
}

/** The look that all text controls share. */
export const CONTROL =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink placeholder:text-faint aria-invalid:border-critical'

/** A line of text. */
export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={classNames(CONTROL, 'h-8', className)} {...rest} />
}

interface TextFieldProps
  extends LabelProps, Omit<ComponentProps<'input'>, keyof LabelProps | 'onChange'> {
  onChange: (text: string) => void
}

/** A labelled line of text. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, field, optional, className, onChange, ...input } = props
  return (
    <Field {...{ label, hint, error, field, optional, className }}>
      {(control) => (
        <Input {...control} {...input} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

/** Several lines of text. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={classNames(CONTROL, 'min-h-20 py-1.5', className)} {...rest} />
}

interface CheckProps extends ComponentProps<'input'> {
  type: 'checkbox' | 'radio'
  label: ReactNode
  hint?: ReactNode
}

/** Yes or no. */
export function Checkbox(props: Omit<CheckProps, 'type'>) {
  return <Check type="checkbox" {...props} />
}

function Check({ label, hint, className, ...rest }: CheckProps) {
  const id = useId()
  return (
    <div className={classNames('flex items-start gap-2', className)}>
      <input id={id} className="mt-1 size-4 shrink-0 accent-accent-solid" {...rest} />
      <label htmlFor={id} className="text-base">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </label>
    </div>
  )
}

interface RadioGroupProps<Value extends string> {
  label: string
  /** Whether only screen readers announce the label. */
  isLabelHidden?: boolean
  name: string
  value: Value
  /** One with a reason cannot be chosen. */
  options: readonly { value: Value; label: string; hint?: string; reason?: string | undefined }[]
  onChange: (value: Value) => void
  className?: string
}

/** A choice between a few values, each with an explanation. */
export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>) {
  const { label, isLabelHidden = false, name, value, options, onChange, className } = props
  return (
    <fieldset className={className ?? 'grid gap-2.5'}>
      <legend className={isLabelHidden ? 'sr-only' : 'mb-1.5 text-sm font-medium'}>{label}</legend>
      {options.map(({ value: one, label: title, hint, reason }) => (
        <Check
          key={one}
          type="radio"
          name={name}
          label={title}
          hint={[hint, reason].filter(Boolean).join(' ') || undefined}
          className={reason === undefined ? '' : 'text-muted'}
          disabled={reason !== undefined}
          checked={one === value}
          onChange={() => onChange(one)}
        />
      ))}
    </fieldset>
  )
}

/** Returns why the server rejected a field of the form around it, or a field below; undefined = it did not. */
export function useFieldError(field: string | undefined): string | undefined {
  const { violations } = use(FieldMessagesContext)
  if (field === undefined) return undefined
  return violations.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message
}
