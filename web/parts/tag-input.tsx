import { Plus, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Field, Input } from './field.tsx'

interface TagInputProps {
  label: string
  hint?: ReactNode
  error?: string | undefined
  /** The name of the field in the form. */
  field?: string | undefined
  tags: readonly string[]
  onAdd: (tag: string) => void
  onRemove: (at: number) => void
}

/** Short words, one after the other. Enter adds one; each has a button that takes it away. */
export function TagInput({ label, hint, error, field, tags, onAdd, onRemove }: TagInputProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const add = (): void => {
    const tag = text.trim()
    if (tag !== '' && !tags.includes(tag)) onAdd(tag)
    setText('')
  }
  const remove = (at: number): void => {
    onRemove(at)
    // The button is gone with its word, and the focus would be lost with it.
    input.current?.focus()
  }
  return (
    <Field label={label} hint={hint} error={error} field={field}>
      {(control) => (
        <div className="grid gap-1.5">
          {tags.length > 0 && (
            <ul aria-label={label} className="flex flex-wrap gap-1">
              {tags.map((tag, at) => (
                <li
                  key={`${at} ${tag}`}
                  className="inline-flex max-w-full items-center gap-0.5 rounded border border-line bg-sunken pl-1.5 text-sm"
                >
                  <span className="user-text">{tag}</span>
                  <button
                    type="button"
                    aria-label={`Remove ${tag}`}
                    className="grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
                    onClick={() => remove(at)}
                  >
                    <X size={12} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <div className="flex gap-2">
            <Input
              {...control}
              ref={input}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // Enter must not submit the surrounding form.
                event.preventDefault()
                add()
              }}
              onBlur={add}
            />
            <Button icon={Plus} onClick={add}>
              Add
            </Button>
          </div>
        </div>
      )}
    </Field>
  )
}
