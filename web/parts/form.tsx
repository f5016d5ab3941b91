import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { describeInvalid, FieldMessagesContext, NO_MESSAGES } from './field-message.ts'
import { ProblemNotice, type ShownProblem } from './notice.tsx'

/** The properties of a form. */
export interface FormProps {
  /** The accessible name of the form. */
  label: string
  /** Why the server rejected it; undefined = it did not. */
  problem?: ShownProblem | undefined
  /** The names of the fields that show their own violations; the others are listed above the form. */
  fields?: readonly string[]
  /** Whether the form is what the page is for: its first empty field gets the focus. */
  takesFocus?: boolean
  onSubmit: () => void
  children: ReactNode
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const CONTROLS = 'input:not([type=radio], [type=checkbox], [hidden]), select, textarea'

/**
 * A form. Nothing is sent while a field is invalid: the field shows why, in our words and not in the
 * browser's, and gets the focus. When the server rejects the form, the focus goes to the first field
 * that it names; violations of no field appear above the fields.
 */
export function Form({
  label,
  problem,
  fields = [],
  takesFocus = false,
  onSubmit,
  children,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [invalid, setInvalid] = useState(NO_MESSAGES.invalid)
  useEffect(() => {
    if (takesFocus) focusFirstEmpty(form.current)
  }, [takesFocus])
  const isRejected = problem !== undefined
  useEffect(() => {
    if (!isRejected) return
    const wrong = form.current?.querySelector('[aria-invalid=true]')
    if (wrong instanceof HTMLElement) wrong.focus()
    // The button may be far below the message.
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }, [isRejected])
  const submit = (): void => {
    const found = findInvalid(form.current)
    setInvalid(new Map(found.map(({ control, message }) => [control.id, message])))
    if (found[0] === undefined) onSubmit()
    else found[0].control.focus()
  }
  const clearMessage = (id: string): void => {
    if (!invalid.has(id)) return
    setInvalid(new Map([...invalid].filter(([other]) => other !== id)))
  }
  const isShownByField = ({ field }: { field: string }): boolean =>
    fields.some((one) => field === one || field.startsWith(`${one}.`))
  const isShownByFields =
    problem !== undefined &&
    problem.violations.length > 0 &&
    problem.violations.every(isShownByField)
  return (
    <form
      ref={form}
      aria-label={label}
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // A form in a dialog on top of this one is not a part of it.
        event.stopPropagation()
        submit()
      }}
      onChange={({ target }) => {
        if (isControl(target)) clearMessage(target.id)
      }}
    >
      {problem !== undefined && !isShownByFields && <ProblemNotice problem={problem} />}
      <FieldMessagesContext value={{ invalid, violations: problem?.violations ?? [] }}>
        {children}
      </FieldMessagesContext>
    </form>
  )
}

interface SubmitButtonProps {
  busy: boolean
  reason?: string | undefined
  children: string
}

/** The button that sends a form. */
export function SubmitButton({ children, ...state }: SubmitButtonProps) {
  return (
    <Button type="submit" look="primary" className="justify-self-start" {...state}>
      {children}
    </Button>
  )
}

function isControl(target: unknown): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  )
}

function listControls(form: HTMLFormElement | null): Control[] {
  const controls: Control[] = []
  for (const control of form?.querySelectorAll(CONTROLS) ?? []) {
    if (isControl(control) && !control.disabled) controls.push(control)
  }
  return controls
}

function findInvalid(form: HTMLFormElement | null): { control: Control; message: string }[] {
  return listControls(form).flatMap((control) => {
    const { badInput, rangeUnderflow, rangeOverflow } = control.validity
    const message = describeInvalid({
      label: control.labels?.[0]?.dataset['label'] ?? 'This field',
      value: control.value,
      type: control.type,
      required: control.required,
      minLength: 'minLength' in control ? control.minLength : 0,
      isMalformed: badInput || rangeUnderflow || rangeOverflow,
    })
    return message === undefined ? [] : [{ control, message }]
  })
}

// A field that is being edited keeps the focus.
function focusFirstEmpty(form: HTMLFormElement | null): void {
  if (form === null || form.contains(document.activeElement)) return
  const controls = listControls(form).filter((one) => !('readOnly' in one) || !one.readOnly)
  const first = controls.find(({ value }) => value === '') ?? controls[0]
  first?.focus()
}
