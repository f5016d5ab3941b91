import { use, useId, type ComponentProps, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { FieldMessages } from './field-messages.ts'

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
  optional?: boolean | undefined
  className?: string | undefined
}

interface FieldProps extends LabelProps {
  children: (control: ControlProps) => ReactNode
}

/** A labelled control: `<Field label="Name">{(control) => <Input {...control} />}</Field>`. */
export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId()
  const shown = use(FieldMessages).get(id) ?? error
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
export function TextField({
  label,
  hint,
  error,
  optional,
  className,
  onChange,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional} className={className}>
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

interface CheckProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  hint?: ReactNode
}

/** Yes or no. */
export function Checkbox({ label, hint, className, ...rest }: CheckProps) {
  const id = useId()
  return (
    <div className={classNames('flex items-start gap-2', className)}>
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent-solid"
        {...rest}
      />
      <label htmlFor={id} className="text-base">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </label>
    </div>
  )
}

interface RadioProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  hint?: ReactNode
}

/** One of several choices, each with a word of explanation; those of one group share their `name`. */
export function Radio({ label, hint, className, ...rest }: RadioProps) {
  const id = useId()
  return (
    <div className={classNames('flex items-start gap-2', className)}>
      <input id={id} type="radio" className="mt-1 size-4 shrink-0 accent-accent-solid" {...rest} />
      <label htmlFor={id} className="text-base">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </label>
    </div>
  )
}

/** The message of the first violation of a field, or of a field below it; undefined = none. */
export function findFieldError(
  violations: readonly { field: string; message: string }[],
  field: string,
): string | undefined {
  const found = violations.find((one) => one.field === field || one.field.startsWith(`${field}.`))
  return found?.message
}
