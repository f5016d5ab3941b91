import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { getField, valueAt, type Path } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { errorAt, FormText } from '../../documents/form-field.tsx'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Checkbox } from '../../parts/field.tsx'
import {
  LOGICAL_TYPE_NAMES,
  textAt,
  FIELD_ORDER,
  flagEdit,
  primaryKeyEdits,
  textEdit,
} from './form-edits.ts'
import { QualityForm } from './quality-form.tsx'

interface FieldFormProps extends DocumentFormProps {
  path: Path
  onRemove: () => void
  /** The fields below it. */
  children: ReactNode
}

/** One field of a model in the form. */
export function FieldForm({ path, onRemove, children, ...form }: FieldFormProps) {
  const common = { form, order: FIELD_ORDER }
  const isList = textAt(form.value, [...path, 'logicalType']) === 'array'
  return (
    <div className="grid gap-3 border-t border-line bg-sunken p-3">
      <div className="grid gap-3 sm:grid-cols-2">
        <FormText {...common} label="Field name" path={[...path, 'name']} />
        <TypeField {...form} label="Type" path={[...path, 'logicalType']} />
        {isList && (
          <TypeField {...form} label="Type of each item" path={[...path, 'items', 'logicalType']} />
        )}
        <FormText {...common} label="Physical type" path={[...path, 'physicalType']} optional />
        <FormText {...common} label="Classification" path={[...path, 'classification']} optional />
      </div>
      <Flags {...form} path={path} />
      <FormText
        {...common}
        label="Field description"
        path={[...path, 'description']}
        optional
        multiline
      />
      {children}
      <QualityForm {...form} path={path} />
      <Button className="justify-self-start" icon={Trash2} onClick={onRemove}>
        Remove this field
      </Button>
    </div>
  )
}

interface AtPath extends DocumentFormProps {
  path: Path
}

function Flags({ path, value, onEdit }: AtPath) {
  const flags = [
    ['Required', 'required'],
    ['Unique', 'unique'],
  ] as const
  const field = valueAt(value, path)
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1">
      {flags.map(([label, name]) => (
        <Checkbox
          key={name}
          label={label}
          checked={getField(field, name) === true}
          onChange={(event) => void onEdit(flagEdit([...path, name], event.target.checked))}
        />
      ))}
      <Checkbox
        label="Primary key"
        checked={getField(field, 'primaryKey') === true}
        onChange={(event) => void onEdit(...primaryKeyEdits(value, path, event.target.checked))}
      />
    </div>
  )
}

function TypeField({ label, path, ...form }: AtPath & { label: string }) {
  const type = textAt(form.value, path)
  const isKnown = type === '' || LOGICAL_TYPE_NAMES.includes(type)
  const types = isKnown ? LOGICAL_TYPE_NAMES : [type, ...LOGICAL_TYPE_NAMES]
  return (
    <ChoiceField
      label={label}
      error={errorAt(form, path)}
      value={type}
      isClearable
      placeholder="Not set"
      choices={toChoices(types)}
      onChange={(next) => void form.onEdit(textEdit(path, next))}
    />
  )
}
