import { Button } from './button.tsx'
import { Field, Input, TextArea } from './field.tsx'
import { dayText } from './date-format.ts'

/** The change of a stored secret. */
export type SecretChoice = 'keep' | 'replace' | 'remove'

interface SecretFieldProps {
  title: string
  required: boolean
  /** With several lines, such as a PEM key. */
  multiline: boolean
  /** When it was set; null = it is not. */
  setAt: string | null
  choice: SecretChoice
  onChoose: (choice: SecretChoice) => void
  value: string
  onChange: (value: string) => void
  error: string | undefined
  /** Why it has to be typed although it is set, as a sentence; undefined = it has not. */
  askedBecause: string | undefined
  /** It was typed before the page was loaded again. */
  isLost: boolean
}

/** A secret: it is written and never shown again. */
export function SecretField(props: SecretFieldProps) {
  const { title, setAt, choice, onChoose, error, askedBecause } = props
  if (setAt === null) return <SecretInput {...props} />
  if (choice === 'replace' || (choice === 'keep' && askedBecause !== undefined)) {
    return (
      <div className="grid gap-1.5">
        <SecretInput {...props} />
        {askedBecause === undefined && (
          <Button className="justify-self-start" onClick={() => onChoose('keep')}>
            Keep current value
          </Button>
        )}
        {askedBecause !== undefined && !props.required && (
          <Button className="justify-self-start" onClick={() => onChoose('remove')}>
            Remove instead
          </Button>
        )}
      </div>
    )
  }
  return (
    <div role="group" aria-label={title} className="grid gap-1">
      <span className="text-sm font-medium">{title}</span>
      <div className="flex flex-wrap items-center gap-2">
        <span className="mr-1 text-muted">
          {choice === 'remove'
            ? 'Will be removed when you save'
            : `Set on ${dayText(setAt.slice(0, 10))}`}
        </span>
        {choice === 'remove' ? (
          <Button onClick={() => onChoose('keep')}>Undo</Button>
        ) : (
          <>
            <Button onClick={() => onChoose('replace')}>Replace</Button>
            <Button
              onClick={() => onChoose('remove')}
              reason={props.required ? 'The source requires it. Replace it instead.' : undefined}
            >
              Remove
            </Button>
          </>
        )}
      </div>
      {error !== undefined && (
        <p role="alert" className="user-text text-sm text-critical">
          {error}
        </p>
      )}
    </div>
  )
}

function SecretInput(props: SecretFieldProps) {
  const { title, required, multiline, value, onChange, error, askedBecause, isLost, setAt } = props
  return (
    <Field
      label={setAt === null ? title : `New ${title.charAt(0).toLowerCase()}${title.slice(1)}`}
      optional={!required && setAt === null}
      error={error}
      hint={getHint(askedBecause, isLost)}
    >
      {(control) =>
        multiline ? (
          <TextArea
            {...control}
            value={value}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <Input
            {...control}
            type="password"
            value={value}
            autoComplete="new-password"
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

function getHint(askedBecause: string | undefined, isLost: boolean): string {
  if (isLost) {
    return 'Enter it again. The page was reloaded, and secrets are not kept in the browser.'
  }
  return askedBecause ?? 'Encrypted when you save, and never shown again.'
}
