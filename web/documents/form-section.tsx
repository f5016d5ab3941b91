import { resolveShape, type Shape, shapeAt } from '../../formats/shape/shape.ts'
import { getField, asText, valueAt, type Path, type Value } from '../../formats/text/value.ts'
import { toChoices } from '../parts/choices.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { FormText } from './form-field.tsx'
import { FormList, FormTags } from './form-list.tsx'
import { listShapeFields, type ShapeField } from './shape-fields.ts'

/** A list of a document that a form edits: its place, its words, and what a new item begins with. */
export interface FormSectionRecord {
  path: Path
  title: string
  /** The purpose of the list while it is empty. */
  empty: string
  /** The button: `Add person`. */
  addLabel: string
  newItem: Value
  /** The fields by which an item is named, the first that is filled counts. */
  nameFields: readonly string[]
}

/** Describes a list whose items are called `item`. */
export function createSection(
  path: Path,
  title: string,
  item: string,
  nameFields: readonly string[],
  rest: Pick<FormSectionRecord, 'empty' | 'newItem'>,
): FormSectionRecord {
  return { path, title, addLabel: `Add ${item}`, nameFields, ...rest }
}

/** Returns the lists that ODPS and ODCS share. */
export function listCommonSections(
  document: string,
  people: Path,
  newLink: Value,
): FormSectionRecord[] {
  return [
    createSection(people, 'People', 'person', ['name', 'username'], {
      empty: `People who work on the ${document} appear here.`,
      newItem: { username: '' },
    }),
    createSection(['support'], 'Support channels', 'channel', ['channel', 'url'], {
      empty: 'Add a channel where consumers can ask questions.',
      newItem: { channel: '', url: '' },
    }),
    createSection(['authoritativeDefinitions'], 'Links', 'link', ['type', 'url'], {
      empty: 'Add links to definitions, tutorials or code.',
      newItem: newLink,
    }),
    createSection(['customProperties'], 'Custom properties', 'property', ['property'], {
      empty: 'Add properties that the standard does not define.',
      newItem: { property: '', value: '' },
    }),
  ]
}

interface FormSectionsProps {
  form: DocumentFormProps
  /** The shape of the whole document, in its version of the standard. */
  shape: Shape
  sections: readonly FormSectionRecord[]
  /** The customary order of the fields that hold the lists. */
  order: readonly string[]
}

/** Lists of a document, each item with the fields that the standard gives it. */
export function FormSections({ form, shape, sections, order }: FormSectionsProps) {
  return sections.map((section) => {
    const { path, title, empty, addLabel, newItem, nameFields } = section
    if (shapeAt(shape, [...path, 0]) === undefined) return null
    return (
      <FormList
        key={path.join('.')}
        {...{ form, path, title, empty, addLabel, newItem, order }}
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
    <div className="grid gap-3 sm:grid-cols-2">
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
      className={isMultiline ? 'sm:col-span-2' : undefined}
      choices={values.length === 0 ? undefined : toChoices(values)}
    />
  )
}

function getItemName(item: Value, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = asText(getField(item, name))?.trim() ?? ''
    if (text !== '') return text
  }
  return undefined
}
