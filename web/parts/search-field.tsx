import { Search, X } from 'lucide-react'
import { useEffect, useId, useRef, useState, type Ref } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

const TELL_AFTER_MS = 200

interface SearchFieldProps {
  /** What is searched or filtered, for who cannot see the place. */
  label: string
  value: string
  /** Is told a short while after the last key, and at once on Enter. */
  onChange: (value: string) => void
  placeholder?: string
  large?: boolean
  className?: string
  ref?: Ref<HTMLInputElement>
}

/** A field whose text filters what stands below it while it is typed. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder, large = false, className, ref } = props
  const id = useId()
  const own = useRef<HTMLInputElement>(null)
  const { text, type, tell } = useTyped(value, onChange)
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
        onKeyDown={(event) => event.key === 'Enter' && tell(text)}
        className={classNames(
          'w-full min-w-0 rounded-md border border-line-strong bg-surface pr-10 text-ink placeholder:text-faint',
          large ? 'h-11 pl-10 text-lg' : 'h-8 pl-9 text-base',
        )}
      />
      {text !== '' && (
        <IconButton
          label="Clear the field"
          icon={<X size={14} aria-hidden />}
          className="absolute! top-1/2 right-1 min-h-7! w-7! -translate-y-1/2"
          onClick={() => {
            tell('')
            own.current?.focus()
          }}
        />
      )}
    </div>
  )
}

// What was told last is remembered: only a value that came from elsewhere replaces what is typed.
function useTyped(value: string, onChange: (value: string) => void) {
  const [text, type] = useState(value)
  const told = useRef(value)
  const listener = useRef(onChange)
  useEffect(() => {
    listener.current = onChange
  })
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    type(value)
  }, [value])
  const tell = (next: string): void => {
    type(next)
    if (next === told.current) return
    told.current = next
    listener.current(next)
  }
  useEffect(() => {
    if (text === told.current) return undefined
    const timer = setTimeout(() => {
      told.current = text
      listener.current(text)
    }, TELL_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return { text, type, tell }
}
