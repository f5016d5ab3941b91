import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { formatPath, type Path, type Value } from '../../formats/text/value.ts'
import { ExactNumber, jsonText, valueAt } from '../../formats/text/value.ts'
import type { Choice } from '../parts/choices.ts'
import { Combobox } from '../parts/combobox.tsx'
import { Field, Input, TextArea } from '../parts/field.tsx'
import type { DocumentFormProps } from './document-kind.ts'
import { FieldPlace } from './field-place.tsx'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'

interface FormTextProps {
  form: DocumentFormProps
  path: Path
  label: string
  hint?: ReactNode
  /** One that is emptied is taken out of the text; otherwise it stays, empty. */
  optional?: boolean
  multiline?: boolean
  /** The fields of the object in their customary order: where a new field is put. */
  order?: readonly string[]
  /** The values that are offered; any other text can be entered too. */
  choices?: readonly Choice[] | undefined
  /** Whether a number is written as one. */
  isNumber?: boolean
  /** The edits that a text amounts to, if it is not simply set or removed at its path. */
  getEdits?: (text: string) => TextEdit[]
  className?: string | undefined
}

/** A text of the document, bound to its place: it follows the source, and the source follows it. */
export function FormText(props: FormTextProps) {
  const { form, path, label, hint, optional = false, multiline = false, className } = props
  const { isNumber = false } = props
  const there = valueAt(form.value, path)
  const isText = there === undefined || there === null || isPlain(there)
  const commit = async (text: string): Promise<boolean> => {
    if (props.getEdits !== undefined) return await form.onEdit(...props.getEdits(text))
    if (text === '' && optional) return await form.onEdit({ kind: 'remove', path })
    const order = props.order === undefined ? {} : { order: props.order }
    const value = isNumber ? parseNumber(text) : text
    return await form.onEdit({ kind: 'set', path, value, ...order })
  }
  const typed = useTyped(isText ? formatValue(there) : '', commit)
  const error = errorAt(form, path)
  const shownHint = isText ? hint : 'This value is not plain text. Edit it in the source.'
  return (
    <FieldPlace path={path}>
      <Field label={label} optional={optional} hint={shownHint} error={error} className={className}>
        {(control) => {
          const leave = (): void => {
            typed.onBlur()
            form.onTouch(path)
          }
          const all = { ...control, ...typed, onBlur: leave, disabled: !isText }
          if (multiline) return <TextArea {...all} className="field-sizing-content max-h-72" />
          if (props.choices === undefined) return <Input {...all} />
          return (
            <Combobox
              {...all}
              allowsOther
              isClearable={optional}
              choices={props.choices}
              onChange={(value) => typed.onChange({ target: { value } })}
            />
          )
        }}
      </Field>
    </FieldPlace>
  )
}

const PAUSE_MS = 300

interface Typed {
  value: string
  onChange: (event: { target: { value: string } }) => void
  onBlur: () => void
}

/**
 * Keeps input until it is in the source, so that typing never waits. `commit` is called on a pause or when
 * the field is left; if it returns false, the source keeps its value.
 */
function useTyped(value: string, commit: (text: string) => Promise<boolean>): Typed {
  const [typed, setTyped] = useState<string>()
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; text: string }>(undefined)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    if (typed === value && pending.current === undefined) setTyped(undefined)
  }, [typed, value])
  const flush = useCallback(() => {
    const { current } = pending
    if (current === undefined) return
    clearTimeout(current.timer)
    pending.current = undefined
    void latest.current(current.text).then((isDone) => {
      if (!isDone) setTyped(undefined)
    })
  }, [])
  // Who leaves the page of a form by a key has left no field.
  useEffect(() => flush, [flush])
  return {
    value: typed ?? value,
    onChange: ({ target }) => {
      clearTimeout(pending.current?.timer)
      pending.current = { timer: setTimeout(flush, PAUSE_MS), text: target.value }
      setTyped(target.value)
    },
    onBlur: flush,
  }
}

/** Gives the first error of a form's field, or of something below it; undefined = none. */
export function errorAt(form: DocumentFormProps, path: Path): string | undefined {
  const field = formatPath(path)
  return form.problems.find(
    (one) => one.severity === 'error' && (one.field === field || one.field.startsWith(`${field}.`)),
  )?.message
}

/** Returns the number that a text is; a text that is none, or has too many digits, stays one. */
export function parseNumber(text: string): number | string {
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}

function isPlain(value: Value): boolean {
  return typeof value !== 'object' || value instanceof ExactNumber
}

/** Returns a single value as the text that a field shows. */
export function formatValue(value: Value | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : jsonText(value)
}
