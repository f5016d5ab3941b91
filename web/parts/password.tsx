import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { Field, Input } from './field.tsx'
import {
  passwordAdvice,
  PASSWORD_CHARACTERS_MIN,
  type PasswordAdvice,
} from './password-strength.ts'
import { ToneIcon, type Tone } from './status.tsx'

/** A line for a password, which can be shown to who types it. */
function PasswordInput({ className = '', ...rest }: ComponentProps<'input'>) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        {...rest}
        type={isShown ? 'text' : 'password'}
        className={`pr-9 ${className}`}
        spellCheck={false}
      />
      <button
        type="button"
        aria-label={isShown ? 'Hide the password' : 'Show the password'}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-md text-muted hover:text-ink"
      >
        <Icon size={15} aria-hidden />
      </button>
    </div>
  )
}

interface PasswordFieldProps {
  label?: string
  /** The name of the field in the form. */
  field?: string
  value: string
  onChange: (password: string) => void
}

/** A field for the current password. */
export function PasswordField({ label = 'Password', field, value, onChange }: PasswordFieldProps) {
  return (
    <Field label={label} field={field}>
      {(control) => (
        <PasswordInput
          {...control}
          required
          autoComplete="current-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface NewPasswordFieldProps extends PasswordFieldProps {
  /** Public facts about the person, which make bad passwords. */
  known?: readonly string[]
}

/** A field for a new password, with advice. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { label = 'Password', field, value, onChange, known = [] } = props
  const advice = <Advice advice={passwordAdvice(value, known)} isEmpty={value === ''} />
  return (
    <Field label={label} field={field} hint={advice}>
      {(control) => (
        <PasswordInput
          {...control}
          required
          minLength={PASSWORD_CHARACTERS_MIN}
          autoComplete="new-password"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

const TONES: Record<PasswordAdvice['level'], Tone> = {
  short: 'draft',
  weak: 'caution',
  good: 'positive',
  strong: 'positive',
}

function Advice({ advice, isEmpty }: { advice: PasswordAdvice; isEmpty: boolean }) {
  return (
    <span className="flex items-start gap-1.5" aria-live="polite">
      {!isEmpty && (
        <span className="mt-0.5">
          <ToneIcon tone={TONES[advice.level]} />
        </span>
      )}
      {advice.text}
    </span>
  )
}
