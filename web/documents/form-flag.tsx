import { getField, valueAt, type Path } from '../../formats/text/value.ts'
import { shapeAt, type Shape } from '../../formats/shape/shape.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import { Checkbox } from '../parts/field.tsx'
import type { DocumentFormProps } from './document-kind.ts'
import { FieldPlace } from './field-place.tsx'

interface FormFlagProps {
  form: DocumentFormProps
  path: Path
  label: string
  hint?: string
  /** The fields of the object in their customary order: where a new field is put. */
  order: readonly string[]
}

/** A flag of the document: written if it holds, and otherwise absent, because that means the same. */
export function FormFlag({ form, path, label, hint, order }: FormFlagProps) {
  return (
    <FieldPlace path={path}>
      <Checkbox
        label={label}
        hint={hint}
        checked={valueAt(form.value, path) === true}
        onChange={({ target }) => void form.onEdit(toFlagEdit(path, target.checked, order))}
      />
    </FieldPlace>
  )
}

/** Sets a flag, or removes it instead of setting it to false. */
export function toFlagEdit(path: Path, holds: boolean, order: readonly string[]): TextEdit {
  return holds ? { kind: 'set', path, value: true, order } : { kind: 'remove', path }
}

interface FormDeprecatedProps extends Pick<FormFlagProps, 'form' | 'order'> {
  /** The path of the product, port, model or field. */
  path: Path
  /** The shape of the whole document, in its version of the standard. */
  shape: Shape
}

/** The switch that announces the end of a part of the document; nothing if its version of the standard has none. */
export function FormDeprecated({ form, path, shape, order }: FormDeprecatedProps) {
  const flag = [...path, 'deprecated']
  const isSet = getField(valueAt(form.value, path) ?? null, 'deprecated') !== undefined
  if (!isSet && shapeAt(shape, flag) === undefined) return null
  return (
    <FormFlag
      {...{ form, order }}
      path={flag}
      label="Deprecated"
      hint="Consumers are notified and see the description as advice."
    />
  )
}
