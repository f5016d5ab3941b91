import type { Shape } from '../../../formats/shape/shape.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { FormTags } from '../../documents/form-tags.tsx'
import { toLabel } from '../../documents/to-label.ts'
import { DESCRIPTION_ORDER, ORDER } from './form-edits.ts'

/** The texts, tags and guidance of an ODCS contract in its form. */
export function ContractDescription({ form, shape }: { form: DocumentFormProps; shape: Shape }) {
  return (
    <>
      {DESCRIPTION_ORDER.map((name) => (
        <FormText
          key={name}
          form={form}
          order={DESCRIPTION_ORDER}
          label={toLabel(name)}
          path={['description', name]}
          optional
          multiline
        />
      ))}
      <FormTags form={form} order={ORDER} label="Tags" path={['tags']} />
      <FormGuidance form={form} order={ORDER} path={[]} shape={shape} />
    </>
  )
}
