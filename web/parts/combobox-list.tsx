import { Check } from 'lucide-react'
import { Fragment, useEffect, useRef, type Ref } from 'react'
import type { Choice } from './choices.ts'
import { classNames } from './class-names.ts'
import { numberText } from './number-text.ts'
import type { ComboboxState } from './use-combobox.ts'

interface ComboboxListProps {
  ref: Ref<HTMLDivElement>
  id: string
  list: ComboboxState
  allowsOther: boolean
}

/** The list of choices of a combobox. */
export function ComboboxList({ ref, id, list, allowsOther }: ComboboxListProps) {
  const { isOpen, shown, restCount } = list
  const isEmpty = shown.length === 0
  // A text that may be anything needs no list if nothing matches it.
  const isHidden = !isOpen || (isEmpty && allowsOther)
  return (
    <div
      ref={ref}
      role="presentation"
      popover="manual"
      className={classNames(
        'fixed inset-auto m-0 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md border border-line bg-raised p-1 text-base text-ink shadow-raised',
        isHidden && 'hidden',
      )}
      // The focus stays in the field, also when the scroll bar is used.
      onMouseDown={(event) => event.preventDefault()}
    >
      {isOpen && <Options id={id} list={list} />}
      {isOpen && isEmpty && (
        <p role="status" className="px-2 py-1.5 text-muted">
          No matches
        </p>
      )}
      {isOpen && restCount > 0 && (
        <p className="px-2 py-1.5 text-sm text-muted">
          {numberText(restCount)} more. Type to narrow the list.
        </p>
      )}
    </div>
  )
}

function Options({ id, list }: { id: string; list: ComboboxState }) {
  const { shown } = list
  return (
    <div role="listbox" id={id} aria-label="Choices">
      {shown.map((choice, at) => (
        <Fragment key={choice.value}>
          {choice.group !== undefined && choice.group !== shown[at - 1]?.group && (
            <div role="presentation" className="px-2 pt-2 pb-1 text-xs text-muted">
              {choice.group}
            </div>
          )}
          <Option id={`${id}-${at}`} list={list} choice={choice} isActive={at === list.active} />
        </Fragment>
      ))}
    </div>
  )
}

interface OptionProps {
  id: string
  list: ComboboxState
  choice: Choice
  isActive: boolean
}

function Option({ id, list, choice, isActive }: OptionProps) {
  const { label, detail, depth = 0, reason } = choice
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const isChosen = choice.value === list.value
  return (
    <button
      ref={row}
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={reason === undefined ? undefined : true}
      className={classNames(
        'flex min-h-8 w-full items-center gap-2 rounded px-2 py-1 text-left',
        reason === undefined ? 'cursor-pointer' : 'cursor-not-allowed text-muted',
        isActive ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      onClick={() => list.choose(choice)}
    >
      <Check size={14} aria-hidden className={classNames('shrink-0', !isChosen && 'invisible')} />
      <span
        className="user-text min-w-0 flex-1"
        style={list.isFiltered ? {} : { paddingLeft: `${depth}rem` }}
      >
        {label}
        {reason !== undefined && <span className="block text-xs">{reason}</span>}
      </span>
      {detail !== undefined && detail !== label && (
        <span className="user-text max-w-1/2 text-sm text-muted">{detail}</span>
      )}
    </button>
  )
}
