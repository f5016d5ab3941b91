import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  CUSTOM_FILTER_SCHEMA,
  CUSTOM_FILTERS_MAX,
} from '../../../formats/settings/custom-filter.ts'
import type { ObjectValue } from '../../../formats/text/value.ts'
import { Button } from '../../parts/button.tsx'
import { useListFocus } from '../../parts/list-focus.ts'
import { Notice } from '../../parts/notice.tsx'
import { createFormFields, toFormValues } from '../../parts/schema-form-values.ts'
import { SchemaForm } from '../../parts/schema-form.tsx'
import { editFilters, FILTERS_PATH, listFilterRows, type FilterEdit } from './filter-edits.ts'

const FIELDS = createFormFields(CUSTOM_FILTER_SCHEMA)

interface FiltersFormProps {
  /** The customization as YAML. The form changes only the filters in it. */
  text: string
  violations: readonly { field: string; message: string }[]
  /** Whether the person can only read it. */
  isReadOnly: boolean
  onChange: (text: string) => void
}

/** The filters of a customization as a form. */
export function FiltersForm({ text, violations, isReadOnly, onChange }: FiltersFormProps) {
  const rows = listFilterRows(text) ?? []
  const [refused, setRefused] = useState<string>()
  const [place, focusNext] = useListFocus<HTMLFieldSetElement>(rows.length)
  const edit = (change: FilterEdit): void => {
    const edited = editFilters(text, change)
    setRefused(edited.ok ? undefined : edited.reason)
    if (edited.ok) onChange(edited.text)
  }
  return (
    <fieldset ref={place} disabled={isReadOnly} className="grid grid-cols-1 gap-3">
      <legend className="sr-only">Filters</legend>
      {refused !== undefined && (
        <Notice tone="caution" title="The form cannot edit this text">
          {refused} Choose "Edit as text".
        </Notice>
      )}
      {rows.length === 0 && (
        <p className="text-muted">
          No filters yet. Add one for each custom property by which people look for data products.
        </p>
      )}
      {rows.map(({ at, stored }) => (
        <FilterFields
          key={at}
          at={at}
          stored={stored}
          violations={violations}
          onEdit={edit}
          onRemove={() => {
            focusNext('add')
            edit({ kind: 'remove', at })
          }}
        />
      ))}
      <Button
        data-add
        className="justify-self-start"
        icon={Plus}
        reason={
          rows.length >= CUSTOM_FILTERS_MAX
            ? `An organization has at most ${CUSTOM_FILTERS_MAX} filters.`
            : undefined
        }
        onClick={() => {
          focusNext('last')
          edit({ kind: 'add' })
        }}
      >
        Add filter
      </Button>
    </fieldset>
  )
}

interface FilterFieldsProps extends Pick<FiltersFormProps, 'violations'> {
  at: number
  stored: ObjectValue
  onEdit: (change: FilterEdit) => void
  onRemove: () => void
}

function FilterFields({ at, stored, violations, onEdit, onRemove }: FilterFieldsProps) {
  return (
    <div
      role="group"
      aria-label={`Filter ${at + 1}`}
      data-item
      className="grid gap-3 rounded-md border border-line p-3"
    >
      <SchemaForm
        fields={FIELDS}
        values={toFormValues(FIELDS, stored)}
        path={`${FILTERS_PATH.join('.')}[${at}]`}
        violations={violations}
        onChange={(name, value) => onEdit({ kind: 'set', at, name, value: String(value) })}
      />
      <Button className="justify-self-start" icon={Trash2} onClick={onRemove}>
        Remove filter {at + 1}
      </Button>
    </div>
  )
}
