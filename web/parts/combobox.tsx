import { ChevronDown, X } from 'lucide-react'
import { useId, useRef, useLayoutEffect, type RefObject } from 'react'
import type { Choice } from './choices.ts'
import { classNames } from './class-names.ts'
import { ComboboxList } from './combobox-list.tsx'
import { CONTROL } from './field.tsx'
import { useCombobox, useComboboxKeys } from './use-combobox.ts'

/** The properties of a combobox. */
export interface ComboboxProps {
  id?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
  'aria-invalid'?: true | undefined
  'aria-required'?: boolean | undefined
  required?: boolean
  name?: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  onBlur?: () => void
  /** Whether a text that is not a choice can be entered. */
  allowsOther?: boolean
  /** Whether it can be emptied. */
  isClearable?: boolean
  placeholder?: string | undefined
  disabled?: boolean
  className?: string
}

/**
 * A text field with a list of choices (the ARIA combobox with a listbox). Typing filters a long list
 * and jumps in a short one; a text that is neither a choice nor allowed is dropped when it is left.
 */
export function Combobox(props: ComboboxProps) {
  const { value, choices, onChange, onBlur, allowsOther = false, disabled = false } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isClearable = props.isClearable === true
  const options = { value, choices, onChange, onBlur, allowsOther, isClearable }
  const list = useCombobox({ ...options, isDisabled: disabled })
  const { isOpen, isSearched, active, text, open, close, type, leave } = list
  const { anchor, popup } = usePopup(isOpen)
  const toggle = (): void => (isOpen ? close() : open())
  const clear = (): void => {
    close()
    onChange('')
    input.current?.focus()
  }
  const hasClear = isClearable && text !== '' && !disabled
  return (
    <div ref={anchor} className={classNames('relative min-w-0', props.className)}>
      <input
        {...toAttributes(props)}
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-autocomplete={isSearched ? 'list' : 'none'}
        aria-activedescendant={isOpen && active !== -1 ? `${id}-${active}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        readOnly={!isSearched}
        value={text}
        className={classNames(
          CONTROL,
          'h-8 truncate',
          hasClear ? 'pr-14' : 'pr-8',
          !isSearched && 'cursor-default',
        )}
        onChange={({ target }) => type(target.value)}
        onClick={() => (isSearched ? open() : toggle())}
        onFocus={({ target }) => isSearched && target.select()}
        onBlur={leave}
        onKeyDown={useComboboxKeys(list)}
      />
      <Buttons
        onToggle={() => {
          input.current?.focus()
          toggle()
        }}
        onClear={hasClear ? clear : undefined}
      />
      <ComboboxList ref={popup} id={id} list={list} allowsOther={allowsOther} />
    </div>
  )
}

function toAttributes(props: ComboboxProps) {
  const { id, name, required, placeholder, disabled } = props
  return {
    id,
    name,
    required,
    placeholder,
    disabled,
    'aria-label': props['aria-label'],
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': props['aria-required'],
  }
}

interface ButtonsProps {
  onToggle: () => void
  onClear: (() => void) | undefined
}

// Both do what keys do too, so that the keyboard and screen readers pass them over.
function Buttons({ onToggle, onClear }: ButtonsProps) {
  const common = {
    type: 'button' as const,
    tabIndex: -1,
    className: 'grid w-6 place-items-center rounded text-muted hover:text-ink',
    onMouseDown: (event: { preventDefault: () => void }) => event.preventDefault(),
  }
  return (
    <span className="absolute inset-y-0 right-1 flex" aria-hidden>
      {onClear !== undefined && (
        <button {...common} title="Clear" onClick={onClear}>
          <X size={14} />
        </button>
      )}
      <button {...common} onClick={onToggle}>
        <ChevronDown size={14} />
      </button>
    </span>
  )
}

const GAP_PX = 4
const MARGIN_PX = 8
const HEIGHT_PX_MAX = 320

/**
 * Shows a popup at its anchor, as wide as the anchor, on the side with more space. The popup needs
 * `popover="manual"`: the browser draws it above everything else, so that neither a dialog nor a scrolling
 * box clips it.
 */
function usePopup(isOpen: boolean): {
  anchor: RefObject<HTMLDivElement | null>
  popup: RefObject<HTMLDivElement | null>
} {
  const anchor = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current: box } = popup
    const { current: beside } = anchor
    if (!isOpen || box === null || beside === null) return undefined
    const placeBox = (): void => place(box, beside.getBoundingClientRect())
    box.showPopover()
    placeBox()
    const size = new ResizeObserver(placeBox)
    size.observe(box)
    addEventListener('scroll', placeBox, { capture: true, passive: true })
    addEventListener('resize', placeBox)
    window.visualViewport?.addEventListener('resize', placeBox)
    return () => {
      size.disconnect()
      removeEventListener('scroll', placeBox, { capture: true })
      removeEventListener('resize', placeBox)
      window.visualViewport?.removeEventListener('resize', placeBox)
      box.hidePopover()
    }
  }, [isOpen])
  return { anchor, popup }
}

function place(box: HTMLElement, beside: DOMRect): void {
  // A keyboard on the screen takes part of the window away.
  const height = window.visualViewport?.height ?? innerHeight
  const below = height - beside.bottom - GAP_PX - MARGIN_PX
  const above = beside.top - GAP_PX - MARGIN_PX
  const isBelow = below >= Math.min(box.scrollHeight, HEIGHT_PX_MAX) || below >= above
  const { style } = box
  style.maxHeight = `${Math.max(96, Math.min(HEIGHT_PX_MAX, isBelow ? below : above))}px`
  style.minWidth = `${beside.width}px`
  const left = Math.min(beside.left, innerWidth - box.offsetWidth - MARGIN_PX)
  style.left = `${Math.max(MARGIN_PX, left)}px`
  style.top = `${isBelow ? beside.bottom + GAP_PX : beside.top - GAP_PX - box.offsetHeight}px`
}
