import { useRef, useState, type KeyboardEvent } from 'react'
import {
  CHOICES_SHOWN_MAX,
  filterChoices,
  findByPrefix,
  moveActive,
  resolveChoice,
  type Choice,
  type Move,
} from './choices.ts'

interface ComboboxOptions {
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  onBlur: (() => void) | undefined
  allowsOther: boolean
  isClearable: boolean
  isDisabled: boolean
}

const SEARCHED_MIN = 8
const PAGE = 8
const TYPEAHEAD_MS = 600

const MOVES: ReadonlyMap<string, Move> = new Map<string, Move>([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
  ['PageDown', PAGE],
  ['PageUp', -PAGE],
  ['Home', 'first'],
  ['End', 'last'],
])

/** Returns the state of a combobox and what its keys and its pointer do. */
export function useCombobox(options: ComboboxOptions) {
  const { value, choices, onChange, allowsOther, isClearable } = options
  const [isOpen, setOpen] = useState(false)
  // What is typed since it opened; undefined = nothing, and all choices are offered.
  const [typed, setTyped] = useState<string>()
  const [active, setActive] = useState(-1)
  const isSearched = allowsOther || choices.length >= SEARCHED_MIN
  const chosen = choices.find((choice) => choice.value === value)
  const matches = typed === undefined ? choices : filterChoices(choices, typed)
  const shown = matches.slice(0, CHOICES_SHOWN_MAX)

  const open = (): void => {
    if (options.isDisabled) return
    setActive(choices.slice(0, CHOICES_SHOWN_MAX).findIndex((choice) => choice.value === value))
    setOpen(true)
  }
  const close = (): void => {
    setOpen(false)
    setTyped(undefined)
  }
  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined || choice.reason !== undefined) return
    close()
    if (choice.value !== value) onChange(choice.value)
  }
  const type = (text: string): void => {
    setTyped(text)
    setOpen(true)
    setActive(allowsOther || text.trim() === '' ? -1 : 0)
    if (allowsOther) onChange(text)
  }
  const leave = (): void => {
    if (!allowsOther && typed !== undefined) {
      if (typed.trim() === '' && isClearable) onChange('')
      else choose(resolveChoice(choices, typed))
    }
    close()
    options.onBlur?.()
  }
  const text = typed ?? (allowsOther ? value : (chosen?.label ?? value))
  const restCount = matches.length - shown.length
  const isFiltered = typed !== undefined && typed.trim() !== ''
  const state = { isOpen, isSearched, active, shown, restCount, isFiltered, text }
  return { ...state, value, open, close, choose, type, leave, setActive }
}

/** The state of a combobox. */
export type ComboboxState = ReturnType<typeof useCombobox>

/** Returns the keyboard handler of a combobox. */
export function useComboboxKeys(list: ComboboxState): (event: KeyboardEvent) => void {
  const { isOpen, isSearched, active, shown, value, open, close, choose, setActive } = list
  const jumpTo = useTypeahead()
  const jump = (key: string): void => {
    const start = isOpen ? active : shown.findIndex((choice) => choice.value === value)
    const at = jumpTo(shown, start, key)
    if (at === -1) return
    if (isOpen) setActive(at)
    else choose(shown[at])
  }
  return (event) => {
    const { key, altKey, ctrlKey, metaKey } = event
    if (ctrlKey || metaKey) return
    const move = MOVES.get(key)
    const isHandled =
      (move !== undefined && moveBy(list, move, altKey)) ||
      (key === 'Enter' && isOpen && active !== -1 && done(() => choose(shown[active]))) ||
      (key === 'Escape' && isOpen && done(close)) ||
      (!isSearched && key === ' ' && done(() => (isOpen ? choose(shown[active]) : open()))) ||
      (!isSearched && key.length === 1 && !altKey && done(() => jump(key)))
    if (isHandled) event.preventDefault()
  }
}

// In a text, Home and End belong to the cursor.
function moveBy(list: ComboboxState, move: Move, isAlt: boolean): boolean {
  const { isOpen, isSearched, active, shown, open, close, setActive } = list
  if (typeof move === 'string' && (isSearched || !isOpen)) return false
  if (isAlt && isOpen) close()
  else if (isOpen) setActive(moveActive(shown.length, active, move))
  else open()
  return true
}

function done(action: () => void): true {
  action()
  return true
}

// Letters that follow each other quickly are the beginning of one word.
function useTypeahead(): (choices: readonly Choice[], active: number, key: string) => number {
  const last = useRef({ text: '', at: 0 })
  return (choices, active, key) => {
    const now = Date.now()
    const text = now - last.current.at < TYPEAHEAD_MS ? last.current.text + key : key
    last.current = { text, at: now }
    return findByPrefix(choices, active, text)
  }
}
