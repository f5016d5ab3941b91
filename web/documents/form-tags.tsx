import { getField, valueAt, type Path } from '../../formats/text/value.ts'
import { TagInput } from '../parts/tag-input.tsx'
import type { DocumentFormProps } from './document-kind.ts'
import { FieldPlace } from './field-place.tsx'
import { errorAt, formatValue, parseNumber } from './form-field.tsx'

interface FormTagsProps {
  form: DocumentFormProps
  path: Path
  label: string
  /** Whether numbers are written as such. */
  isNumber?: boolean
  order?: readonly string[]
  /** The field that has the text of an item: `synonym`; undefined = the items are texts. */
  field?: string
}

/** A list of short values: the tags of the document, the bounds of a quality check, synonyms. */
export function FormTags({ form, path, label, isNumber = false, order, field }: FormTagsProps) {
  const list = valueAt(form.value, path)
  const items = Array.isArray(list) ? list : []
  const tags = field === undefined ? items : items.map((item) => getField(item, field))
  const add = (text: string): void => {
    const plain = isNumber ? parseNumber(text) : text
    const value = field === undefined ? plain : { [field]: plain }
    void form.onEdit({ kind: 'add', path, value, ...(order === undefined ? {} : { order }) })
  }
  const remove = (at: number): void => {
    void form.onEdit({ kind: 'remove', path: tags.length === 1 ? path : [...path, at] })
  }
  return (
    <FieldPlace path={path}>
      <TagInput
        label={label}
        error={errorAt(form, path)}
        tags={tags.map(formatValue)}
        onAdd={add}
        onRemove={remove}
      />
    </FieldPlace>
  )
}
