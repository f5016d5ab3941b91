import type { Path } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormSections } from '../../documents/form-section.tsx'
import { getQualitySection } from './contract-sections.ts'
import { FIELD_ORDER, getContractShape } from './form-edits.ts'

/** The quality checks of a model or a field in the form. */
export function QualityForm({ path, ...form }: DocumentFormProps & { path: Path }) {
  return (
    <FormSections
      form={form}
      shape={getContractShape(form.value)}
      sections={[getQualitySection(path)]}
      order={FIELD_ORDER}
    />
  )
}
