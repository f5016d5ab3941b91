import { useEffect, useRef, useState, type ReactNode } from 'react'
import { describeInvalid } from './field-message.ts'
import { FieldMessages } from './field-messages.ts'
import { ProblemNotice } from './notice.tsx'

interface ShownProblem {
  title: string
  message: string
  violations: readonly { field: string; message: string }[]
}

interface FormProps {
  /** The accessible name of the form. */
  label: string
  /** Why the server rejected it; undefined = it did not. */
  problem?: ShownProblem | undefined
  /** The fields that show their own violations; the others are listed above the form. */
  fields?: readonly string[]
  /** Whether the form is what the page is for: its first empty field gets the focus. */
  takesFocus?: boolean
  onSubmit: () => void
  children: ReactNode
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const CONTROLS = 'input:not([type=radio], [type=checkbox], [hidden]), select, textarea'
const NO_MESSAGES: ReadonlyMap<string, string> = new Map()

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
  const [messages, setMessages] = useState(NO_MESSAGES)
  useEffect(() => {
    if (takesFocus) focusFirstEmpty(form.current)
  }, [takesFocus])
  useEffect(() => {
    if (problem === undefined) return
    const wrong = form.current?.querySelector('[aria-invalid=true]')
    if (wrong instanceof HTMLElement) wrong.focus()
    // The button may be far below the message.
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const submit = (): void => {
    const found = findInvalid(form.current)
    setMessages(new Map(found.map(({ control, message }) => [control.id, message])))
    if (found[0] === undefined) onSubmit()
    else found[0].control.focus()
  }
  const clearMessage = (id: string): void => {
    if (!messages.has(id)) return
    setMessages(new Map([...messages].filter(([other]) => other !== id)))
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
        // A form in a dialog on top of this one is no part of it.
        event.stopPropagation()
        submit()
      }}
      onChange={({ target }) => {
        if (isControl(target)) clearMessage(target.id)
      }}
    >
      {problem !== undefined && !isShownByFields && <ProblemNotice problem={problem} />}
      <FieldMessages value={messages}>{children}</FieldMessages>
    </form>
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
