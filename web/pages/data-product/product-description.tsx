import type { Shape } from '../../../formats/shape/shape.ts'
import { getField } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { FormTags } from '../../documents/form-tags.tsx'
import { DESCRIPTION_FIELDS, PRODUCT_FIELDS } from './product-fields.ts'

/** The texts, tags and guidance of an ODPS document in its form. */
export function ProductDescription({ form, shape }: { form: DocumentFormProps; shape: Shape }) {
  return (
    <>
      <Description form={form} />
      <FormTags form={form} path={['tags']} label="Tags" order={PRODUCT_FIELDS} />
      <FormGuidance form={form} path={[]} shape={shape} order={PRODUCT_FIELDS} />
    </>
  )
}

function Description({ form }: { form: DocumentFormProps }) {
  const isText = typeof getField(form.value, 'description') === 'string'
  if (isText) return <FormText form={form} path={['description']} label="Description" multiline />
  const common = { form, multiline: true, optional: true, order: DESCRIPTION_FIELDS }
  return (
    <>
      <FormText
        {...common}
        path={['description', 'purpose']}
        label="Purpose"
        hint="What the data is and what it can be used for."
      />
      <FormText {...common} path={['description', 'limitations']} label="Limitations" />
      <FormText {...common} path={['description', 'usage']} label="Usage" />
    </>
  )
}
