import type { Path } from '../../formats/text/text.ts'
import { valueAt } from '../../formats/text/value.ts'
import { Checkbox } from '../parts/field.tsx'
import type { DocumentFormProps } from './document-kind.ts'

interface FormFlagProps {
  form: DocumentFormProps
  path: Path
  label: string
  order: readonly string[]
}

/** A field of the document that is true or false. One that is not set counts as false. */
export function FormFlag({ form, path, label, order }: FormFlagProps) {
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
