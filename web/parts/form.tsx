import { useEffect, useRef, type ReactNode } from 'react'
import { ProblemNotice } from './notice.tsx'

interface ShownProblem {
  title: string
  message: string
  violations: readonly { field: string; message: string }[]
}

interface FormProps {
  /** Names the form, for who cannot see the page. */
  label: string
  /** Why it was refused; undefined = it was not. */
  problem?: ShownProblem | undefined
  /** The fields that show what is wrong with them themselves; the rest is told above the form. */
  fields?: readonly string[]
  onSubmit: () => void
  children: ReactNode
}

/**
 * A form. When it is refused, the focus goes to the first field that is wrong; what belongs to no
 * field stands above them.
 */
export function Form({ label, problem, fields = [], onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem === undefined) return
    const wrong = form.current?.querySelector('[aria-invalid=true]')
    if (wrong instanceof HTMLElement) wrong.focus()
    // The button that sent it may stand far below what is told.
    else form.current?.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  const isTold = ({ field }: { field: string }): boolean =>
    fields.some((one) => field === one || field.startsWith(`${one}.`))
  const isToldByFields =
    problem !== undefined && problem.violations.length > 0 && problem.violations.every(isTold)
  return (
    <form
      ref={form}
      aria-label={label}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {problem !== undefined && !isToldByFields && <ProblemNotice problem={problem} />}
      {children}
    </form>
  )
}
