import { STATUSES } from '../../../formats/data-contract/odcs/shape.ts'
import { ownerPath } from '../../../formats/data-contract/facts.ts'
import { formatPath, type Path } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormTags } from '../../documents/form-list.tsx'
import { FormFields, FormSections } from '../../documents/form-section.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { toChoices } from '../../parts/choices.ts'
import { useNewNaming } from '../../documents/new-naming.ts'
import { listContractSections } from './contract-sections.ts'
import { DESCRIPTION_ORDER, getContractShape, ORDER, ownerEdit } from './form-edits.ts'
import { ModelsForm } from './models-form.tsx'

const STATUS_CHOICES = toChoices(STATUSES)

const TEXTS: readonly (readonly [label: string, path: Path])[] = [
  ['Purpose', ['description', 'purpose']],
  ['Usage', ['description', 'usage']],
  ['Limitations', ['description', 'limitations']],
]

/** The form of an ODCS contract, beside its source. */
export function ContractForm(form: DocumentFormProps) {
  const hasDomain = formatPath(ownerPath(form.value)) !== 'domain'
  const common = { form, order: ORDER }
  const { editsOfName, editsOfId } = useNewNaming(form, ORDER)
  const shape = getContractShape(form.value)
  return (
    <div className="grid gap-5">
      <div className="grid gap-3 sm:grid-cols-2">
        <FormText
          {...common}
          label="Name"
          path={['name']}
          optional={!form.isNew}
          {...(form.isNew ? { getEdits: editsOfName } : {})}
        />
        {form.isNew && (
          <FormText
            {...common}
            label="Id"
            path={['id']}
            getEdits={editsOfId}
            hint="Used in URLs and by ports. It cannot be changed later."
          />
        )}
        <FormText {...common} label="Version" path={['version']} hint="Such as 1.4.0." />
        <FormText {...common} label="Status" path={['status']} choices={STATUS_CHOICES} />
        <FormTeam
          form={form}
          path={ownerPath(form.value)}
          label="Team"
          permission="DATACONTRACT_EDIT"
          getEdit={(id) => ownerEdit(form.value, id)}
        />
        {hasDomain && <FormText {...common} label="Domain" path={['domain']} optional />}
      </div>
      <DescriptionTexts {...form} />
      <FormTags {...common} label="Tags" path={['tags']} />
      <FormGuidance {...common} path={[]} shape={shape} />
      <ModelsForm {...form} />
      <FormSections
        form={form}
        shape={shape}
        sections={listContractSections(form.value)}
        order={ORDER}
      />
      <section className="grid gap-3">
        <h3 className="text-base">Price</h3>
        <FormFields form={form} path={['price']} shape={shape} />
      </section>
    </div>
  )
}

function DescriptionTexts(form: DocumentFormProps) {
  return TEXTS.map(([label, path]) => (
    <FormText
      key={label}
      form={form}
      order={DESCRIPTION_ORDER}
      label={label}
      path={path}
      optional
      multiline
    />
  ))
}
