import { ChevronRight, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import {
  formatPath,
  getField,
  isObject,
  valueAt,
  type Path,
  type Value,
} from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { errorAt } from '../../documents/form-field.tsx'
import { holdsField, useReveal } from '../../documents/reveal.ts'
import { Button } from '../../parts/button.tsx'
import { classNames } from '../../parts/class-names.ts'
import { Input } from '../../parts/field.tsx'
import { newFloatingChunk, takePart } from '../../parts/lazy-part.ts'
import { useListFocus } from '../../parts/list-focus.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { Status } from '../../parts/status.tsx'
import { textAt, fieldAddition } from './form-edits.ts'

const FieldForm = takePart(
  newFloatingChunk(() => import('./field-form.tsx')),
  (module) => module.FieldForm,
)

interface FieldsFormProps extends DocumentFormProps {
  /** Of the list of fields. */
  path: Path
  label: string
}

const STEP = 50

/** A list of fields in the form: each opens to be changed; new ones come last. */
export function FieldsForm({ path, label, ...form }: FieldsFormProps) {
  const [open, setOpen] = useState<number | undefined>(undefined)
  const [filter, setFilter] = useState('')
  const [max, setMax] = useState(STEP)
  const list = valueAt(form.value, path)
  const fields = (Array.isArray(list) ? list : []).map((field, at) => ({ field, at }))
  const [place, focusNext] = useListFocus(fields.length)
  useReveal([path], (target) => {
    const { at } = fields.find((one) => holdsField([...path, one.at], target)) ?? {}
    if (at === undefined) return
    setFilter('')
    setMax(Math.max(max, at + 1))
    setOpen(at)
  })
  const sought = filter.toLowerCase()
  const found = fields.filter(({ field }) => getName(field).toLowerCase().includes(sought))
  const add = (): void => {
    setFilter('')
    setMax(Math.max(max, fields.length + 1))
    setOpen(fields.length)
    focusNext('last')
    void form.onEdit(fieldAddition(form.value, path))
  }
  const remove = (at: number): void => {
    setOpen(undefined)
    focusNext('add')
    void form.onEdit({ kind: 'remove', path: [...path, at] })
  }
  return (
    <section ref={place} aria-label={label} className="grid gap-2">
      <FieldsHead
        label={label}
        filter={fields.length > STEP ? filter : undefined}
        onFilter={setFilter}
        onAdd={add}
      />
      {found.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line">
          {found.slice(0, max).map(({ field, at }) => (
            <FieldRow
              key={`${at}`}
              {...form}
              path={[...path, at]}
              field={field}
              isOpen={open === at}
              onToggle={() => setOpen(open === at ? undefined : at)}
              onRemove={() => remove(at)}
            />
          ))}
        </ul>
      )}
      {found.length > max && (
        <Button onClick={() => setMax(max + STEP)}>
          Show {Math.min(STEP, found.length - max)} more
        </Button>
      )}
    </section>
  )
}

interface FieldsHeadProps {
  label: string
  /** Undefined = there are too few to need one. */
  filter: string | undefined
  onFilter: (filter: string) => void
  onAdd: () => void
}

function FieldsHead({ label, filter, onFilter, onAdd }: FieldsHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h4 className="text-sm font-medium">Fields</h4>
      {filter !== undefined && (
        <Input
          type="search"
          aria-label={`Filter: ${label}`}
          placeholder="Filter by name"
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
          className="max-w-52"
        />
      )}
      <Button data-add className="ml-auto" icon={Plus} onClick={onAdd}>
        Add field
      </Button>
    </div>
  )
}

interface FieldRowProps extends DocumentFormProps {
  path: Path
  field: Value
  isOpen: boolean
  onToggle: () => void
  onRemove: () => void
}

function FieldRow({ path, field, isOpen, onToggle, onRemove, ...form }: FieldRowProps) {
  return (
    <li data-item={isOpen ? '' : undefined} data-field={formatPath(path)}>
      <FieldHead
        field={field}
        hasError={errorAt(form, path) !== undefined}
        isOpen={isOpen}
        onToggle={onToggle}
      />
      {isOpen && (
        <Suspense fallback={<Skeleton lines={6} />}>
          <FieldForm {...form} path={path} onRemove={onRemove}>
            <Nested {...form} path={path} />
          </FieldForm>
        </Suspense>
      )}
    </li>
  )
}

interface FieldHeadProps {
  field: Value
  hasError: boolean
  isOpen: boolean
  onToggle: () => void
}

function FieldHead({ field, hasError, isOpen, onToggle }: FieldHeadProps) {
  const type = textAt(field, ['logicalType']) || textAt(field, ['physicalType'])
  const marks = [type, getField(field, 'required') === true && 'required']
    .filter(Boolean)
    .join(', ')
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex w-full items-center gap-2 px-2 py-1.5 text-left outline-offset-[-2px]! hover:bg-hover"
    >
      <ChevronRight
        size={14}
        aria-hidden
        className={classNames('shrink-0 text-muted', isOpen && 'rotate-90')}
      />
      <code className="user-text line-clamp-2">{getName(field) || 'no name yet'}</code>
      {hasError && <Status tone="critical">error</Status>}
      <span className="user-text ml-auto line-clamp-2 text-sm text-muted">{marks}</span>
    </button>
  )
}

// The fields of an object, also of one that a list holds.
function Nested({ path, ...form }: DocumentFormProps & { path: Path }) {
  const field = valueAt(form.value, path)
  const type = getField(field, 'logicalType')
  if (type === 'object') {
    const label = `Fields of ${getName(field)}`
    return <FieldsForm {...form} path={[...path, 'properties']} label={label} />
  }
  const items = [...path, 'items']
  if (type !== 'array' || textAt(form.value, [...items, 'logicalType']) !== 'object') return null
  const label = `Fields of each item of ${getName(field)}`
  return <FieldsForm {...form} path={[...items, 'properties']} label={label} />
}

function getName(field: Value | undefined): string {
  return isObject(field) ? textAt(field, ['name']) : ''
}
