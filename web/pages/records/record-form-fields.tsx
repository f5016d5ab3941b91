import type { ObjectShape, Shape } from '../../../formats/shape/shape.ts'
import {
  asText,
  formatPath,
  getField,
  type Path,
  type Value,
  valueAt,
} from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormList } from '../../documents/form-list.tsx'
import { ShapeFieldInput } from '../../documents/form-section.tsx'
import { listShapeFields } from '../../documents/shape-fields.ts'
import { toLabel } from '../../documents/to-label.ts'
import { Checkbox } from '../../parts/field.tsx'

interface RecordFormFieldsProps {
  form: DocumentFormProps
  shape: ObjectShape
  /** The path of the object that has the fields. */
  path: Path
  /** The paths of fields with an input elsewhere. */
  without: readonly Path[]
}

/** The fields of a record, or of an object in it, in the order of the shape. */
export function RecordFormFields({ form, shape, path, without }: RecordFormFieldsProps) {
  const elsewhere = new Set(without.map(formatPath))
  return [...shape.fields].map(([name, field]) => {
    const inner = [...path, name]
    if (elsewhere.has(formatPath(inner))) return null
    return <RecordFormField key={name} {...{ form, field, without }} path={inner} parent={shape} />
  })
}

interface RecordFormFieldProps {
  form: DocumentFormProps
  field: Shape
  path: Path
  parent: ObjectShape
  without: readonly Path[]
}

function RecordFormField({ form, field, path, parent, without }: RecordFormFieldProps) {
  const name = String(path.at(-1))
  const order = [...parent.fields.keys()]
  if (field.kind === 'flag') {
    return <FormFlag {...{ form, path, order }} label={toLabel(name)} />
  }
  if (field.kind === 'object') {
    return <RecordFormFields {...{ form, path, without }} shape={field} />
  }
  if (field.kind === 'list' && field.items.kind === 'object') {
    return <ObjectList {...{ form, path, order }} shape={field.items} />
  }
  const input = listShapeFields(parent, form.value).find((one) => one.name === name)
  return input === undefined ? null : <ShapeFieldInput {...{ form, path, order }} field={input} />
}

interface ObjectListProps {
  form: DocumentFormProps
  path: Path
  order: readonly string[]
  /** The shape of an item. */
  shape: ObjectShape
}

function ObjectList({ form, path, order, shape }: ObjectListProps) {
  const title = toLabel(String(path.at(-1)))
  const newItem = Object.fromEntries(shape.required.map((name) => [name, '']))
  return (
    <div className="@sm:col-span-2">
      <FormList
        {...{ form, path, order, title, newItem }}
        empty={`No ${title.toLowerCase()} yet.`}
        addLabel={`Add ${title.toLowerCase().replace(/s$/, '')}`}
        getName={(item, at) => getItemName(item, shape) ?? `${title}: ${at + 1}`}
      >
        {(itemPath) => (
          <div className="grid gap-3 @sm:grid-cols-2">
            <RecordFormFields form={form} shape={shape} path={itemPath} without={[]} />
          </div>
        )}
      </FormList>
    </div>
  )
}

function getItemName(item: Value, { fields }: ObjectShape): string | undefined {
  const names = fields.has('name') ? ['name', ...fields.keys()] : [...fields.keys()]
  return names.map((name) => asText(getField(item, name))?.trim()).find(Boolean)
}

interface FormFlagProps {
  form: DocumentFormProps
  path: Path
  label: string
  order: readonly string[]
}

/** A field of the document that is true or false. One that is not set counts as false. */
function FormFlag({ form, path, label, order }: FormFlagProps) {
  const value = valueAt(form.value, path) ?? false
  const isFlag = typeof value === 'boolean'
  return (
    <Checkbox
      label={label}
      hint={isFlag ? undefined : 'This value is not true or false. Edit it in the source.'}
      disabled={!isFlag}
      checked={value === true}
      onChange={({ target }) =>
        void form.onEdit({ kind: 'set', path, value: target.checked, order })
      }
    />
  )
}
