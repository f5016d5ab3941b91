import { ChevronDown, ChevronRight, Plus, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import type { Path, Value } from '../../formats/text/text.ts'
import { formatPath, valueAt } from '../../formats/text/value.ts'
import { Button, IconButton } from '../parts/button.tsx'
import { useListFocus } from '../parts/list-focus.ts'
import { Status } from '../parts/status.tsx'
import type { DocumentFormProps } from './document-kind.ts'
import { errorAt } from './form-field.tsx'
import { useFold } from './reveal.ts'

const OPEN_MAX = 2
const SHOWN_MAX = 100

interface FormListProps {
  form: DocumentFormProps
  /** The path of the list. */
  path: Path
  /** Its heading; absent = the section around it has one. */
  title?: string
  /** The text of an empty list. */
  empty: string
  /** The button: `Add an output port`. */
  addLabel: string
  newItem: Value
  /** Edits that precede the addition, in the same step. */
  before?: readonly TextEdit[]
  order?: readonly string[]
  /** Returns the name of an item for its heading and its remove button. */
  getName: (item: Value, at: number) => string
  children: (path: Path, item: Value) => ReactNode
}

/** A list of the document: items can be added and removed, and each has fields of its own. */
export function FormList(props: FormListProps) {
  const { form, path, title, empty, addLabel, newItem, getName, children } = props
  const value = valueAt(form.value, path) ?? []
  const isList = Array.isArray(value)
  const items = isList ? value : []
  const [ref, focusNext] = useListFocus(items.length)
  const [isAdding, setAdding] = useState(false)
  const add = (): void => {
    focusNext('last')
    setAdding(true)
    const order = props.order === undefined ? {} : { order: props.order }
    void form.onEdit(...(props.before ?? []), { kind: 'add', path, value: newItem, ...order })
  }
  const remove = (at: number): void => {
    focusNext('add')
    const isLast = items.length === 1
    void form.onEdit({ kind: 'remove', path: isLast ? path : [...path, at] })
  }
  return (
    <section ref={ref} className="grid grid-cols-1 gap-3">
      {title !== undefined && <h3 className="text-base">{title}</h3>}
      {items.length === 0 && (
        <p className="text-muted">
          {isList ? empty : 'This value is not a list. Edit it in the source.'}
        </p>
      )}
      {items.slice(0, SHOWN_MAX).map((item, at) => (
        <ListItem
          key={at}
          path={[...path, at]}
          name={getName(item, at)}
          isOpenFirst={items.length <= OPEN_MAX || isAdding}
          hasError={errorAt(form, [...path, at]) !== undefined}
          onRemove={() => remove(at)}
        >
          {children([...path, at], item)}
        </ListItem>
      ))}
      {items.length > SHOWN_MAX && (
        <p className="text-muted">{items.length - SHOWN_MAX} more. Edit them in the source.</p>
      )}
      <div>
        <Button data-add icon={Plus} onClick={add}>
          {addLabel}
        </Button>
      </div>
    </section>
  )
}

interface ListItemProps {
  path: Path
  name: string
  isOpenFirst: boolean
  hasError: boolean
  onRemove: () => void
  children: ReactNode
}

// The items of a long list start collapsed, so that one can be found by its name.
function ListItem({ path, name, isOpenFirst, hasError, onRemove, children }: ListItemProps) {
  const [isOpen, setOpen] = useFold([path], isOpenFirst)
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <div
      role="group"
      aria-label={name}
      data-item
      data-field={formatPath(path)}
      className="rounded-md border border-line"
    >
      <div className="flex items-center justify-between gap-2 p-1">
        <button
          type="button"
          aria-expanded={isOpen}
          className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded px-2 text-left text-sm font-medium hover:bg-hover"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon size={14} aria-hidden className="shrink-0" />
          <span className="user-text min-w-0 truncate">{name}</span>
          {hasError && <Status tone="critical">error</Status>}
        </button>
        <IconButton label={`Remove ${name}`} icon={Trash2} iconSize={16} onClick={onRemove} />
      </div>
      {isOpen && <div className="grid grid-cols-1 gap-3 border-t border-line p-3">{children}</div>}
    </div>
  )
}
