import { resolveShape, type Shape, shapeAt } from '../../formats/shape/shape.ts'
import { valueAt, type Path } from '../../formats/text/value.ts'
import { toChoices } from '../parts/choices.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { FormText } from './form-field.tsx'
import { FormList } from './form-list.tsx'
import { FormTags } from './form-tags.tsx'
import { getItemName, type FormSectionRecord } from './section-records.ts'
import { listShapeFields, type ShapeField } from './shape-fields.ts'

interface FormSectionsProps {
  form: DocumentFormProps
  /** The shape of the whole document, in its version of the standard. */
  shape: Shape
  sections: readonly FormSectionRecord[]
  /** The customary order of the fields that hold the lists. */
  order: readonly string[]
  /** Whether each list has its title above it. */
  areTitled?: boolean
}

/** Lists of a document, each item with the fields that the standard gives it. */
export function FormSections(props: FormSectionsProps) {
  const { form, shape, sections, order, areTitled = true } = props
  return sections.map((section) => {
    const { path, title, empty, addLabel, newItem, nameFields } = section
    if (shapeAt(shape, [...path, 0]) === undefined) return null
    return (
      <FormList
        key={path.join('.')}
        {...{ form, path, empty, addLabel, newItem, order }}
        {...(areTitled ? { title } : {})}
        getName={(item, at) => getItemName(item, nameFields) ?? `${title}: ${at + 1}`}
      >
        {(itemPath) => <FormFields form={form} path={itemPath} shape={shape} />}
      </FormList>
    )
  })
}

interface FormFieldsProps {
  form: DocumentFormProps
  /** The path of the object that has the fields. */
  path: Path
  shape: Shape
}

/** The fields of one object of a document, as the standard names them. */
export function FormFields({ form, path, shape }: FormFieldsProps) {
  const part = shapeAt(shape, path)
  if (part === undefined) return null
  const value = valueAt(form.value, path) ?? {}
  const plain = resolveShape(part, value)
  const order = plain.kind === 'object' ? [...plain.fields.keys()] : []
  return (
    <div className="grid gap-3 @sm:grid-cols-2">
      {listShapeFields(part, value).map((field) => (
        <ShapeFieldInput
          key={field.name}
          form={form}
          field={field}
          path={[...path, field.name]}
          order={order}
        />
      ))}
    </div>
  )
}

interface ShapeFieldInputProps {
  form: DocumentFormProps
  field: ShapeField
  path: Path
  order: readonly string[]
}

/** A field of an object of a document: a text, a number, or a list of short values. */
export function ShapeFieldInput({ form, field, path, order }: ShapeFieldInputProps) {
  const { label, isRequired, isNumber, isMultiline, isList, values } = field
  if (isList) return <FormTags {...{ form, path, label, isNumber, order }} />
  return (
    <FormText
      {...{ form, path, label, isNumber, order }}
      optional={!isRequired}
      multiline={isMultiline}
      className={isMultiline ? '@sm:col-span-2' : undefined}
      choices={values.length === 0 ? undefined : toChoices(values)}
    />
  )
}
