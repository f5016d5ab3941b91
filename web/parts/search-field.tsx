import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type Ref } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

const DEBOUNCE_MS = 200

interface SearchFieldProps {
  /** The accessible name. */
  label: string
  value: string
  /** Called after a pause in typing, and immediately on Enter. */
  onChange: (value: string) => void
  placeholder?: string
  large?: boolean
  className?: string
  ref?: Ref<HTMLInputElement>
}

/** A field that searches or filters while you type. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder, large = false, className, ref } = props
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const { text, type, report } = useTyped(value, onChange)
  return (
    <div role="search" className={classNames('relative min-w-0', className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search
        size={large ? 18 : 15}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-faint"
      />
      <input
        id={id}
        ref={(element) => {
          own.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref !== null && ref !== undefined) ref.current = element
        }}
        type="text"
        inputMode="search"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        placeholder={placeholder}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && report(text)}
        className={classNames(
          'w-full min-w-0 rounded-md border border-line-strong bg-surface pr-10 text-ink placeholder:text-faint',
          large ? 'h-11 pl-10 text-lg' : 'h-8 pl-9 text-base',
        )}
      />
      {text !== '' && (
        <IconButton
          label="Clear search"
          icon={X}
          className="absolute! top-1/2 right-1 min-h-7! w-7! -translate-y-1/2"
          onClick={() => {
            report('')
            own.current?.focus()
          }}
        />
      )}
    </div>
  )
}

// Only a value that did not come from this field replaces the typed text.
function useTyped(value: string, onChange: (value: string) => void) {
  const [text, type] = useState(value)
  const reported = useRef(value)
  const listener = useRef(onChange)
  useEffect(() => {
    listener.current = onChange
  })
  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    type(value)
  }, [value])
  const report = (next: string): void => {
    type(next)
    if (next === reported.current) return
    reported.current = next
    listener.current(next)
  }
  useEffect(() => {
    if (text === reported.current) return undefined
    const timer = setTimeout(() => {
      reported.current = text
      listener.current(text)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, type, report }
}
