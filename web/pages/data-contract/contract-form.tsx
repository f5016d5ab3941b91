import { Suspense } from 'react'
import { STATUSES } from '../../../formats/data-contract/odcs/shape.ts'
import { ownerPath } from '../../../formats/data-contract/owner-path.ts'
import type { Shape } from '../../../formats/shape/shape.ts'
import { formatPath, getField, valueAt } from '../../../formats/text/value.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormOutline, type OutlineSection } from '../../documents/form-outline.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { createListSections, toSectionId } from '../../documents/list-sections.tsx'
import { summarizeNames, summarizeTexts } from '../../documents/section-summary.ts'
import { toChoices } from '../../parts/choices.ts'
import { lazyPart, newChunk, takePart } from '../../parts/lazy-part.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { listContractSections } from './contract-sections.ts'
import { DESCRIPTION_ORDER, getContractShape, ORDER, ownerEdit, textAt } from './form-edits.ts'

const ContractDescription = lazyPart(
  () => import('./contract-description.tsx'),
  'ContractDescription',
)
const NewNames = lazyPart(() => import('../../documents/new-names.tsx'), 'NewNames')
const ModelsForm = lazyPart(() => import('./models-form.tsx'), 'ModelsForm')
const FormFields = takePart(
  newChunk(() => import('../../documents/form-section.tsx')),
  (module) => module.FormFields,
)

const STATUS_CHOICES = toChoices(STATUSES)

/** The form of an ODCS contract, beside its source. */
export function ContractForm(form: DocumentFormProps) {
  const shape = getContractShape(form.value)
  const lists = createListSections({
    form,
    shape,
    records: listContractSections(form.value),
    order: ORDER,
  })
  const sections = [
    createBasics(form),
    createDescription(form, shape),
    createModels(form),
    ...lists,
    createPrice(form, shape),
  ]
  const openFirst = sections.slice(0, form.isNew ? 3 : 1).map(({ id }) => id)
  return <FormOutline name="data contract" {...{ form, sections, openFirst }} />
}

function createBasics(form: DocumentFormProps): OutlineSection {
  const paths = [['name'], ['id'], ['version'], ['status'], ownerPath(form.value), ['domain']]
  return {
    id: toSectionId('Basics'),
    title: 'Basics',
    paths,
    summary: summarizeTexts(paths.map((path) => valueAt(form.value, path))),
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Basics {...form} />
      </Suspense>
    ),
  }
}

function createDescription(form: DocumentFormProps, shape: Shape): OutlineSection {
  return {
    id: toSectionId('Description'),
    title: 'Description',
    paths: [['description'], ['tags'], ['synonyms'], ['context']],
    summary: summarizeTexts(
      DESCRIPTION_ORDER.map((name) => valueAt(form.value, ['description', name])),
    ),
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <ContractDescription form={form} shape={shape} />
      </Suspense>
    ),
  }
}

function createModels(form: DocumentFormProps): OutlineSection {
  const schema = getField(form.value, 'schema')
  const models = Array.isArray(schema) ? schema : []
  return {
    id: toSectionId('Models'),
    title: 'Models',
    paths: [['schema']],
    summary: summarizeNames(models.map((model, at) => textAt(model, ['name']) || String(at + 1))),
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <ModelsForm {...form} />
      </Suspense>
    ),
  }
}

function createPrice(form: DocumentFormProps, shape: Shape): OutlineSection {
  const fields = ['priceAmount', 'priceCurrency', 'priceUnit']
  const price = summarizeTexts(fields.map((name) => valueAt(form.value, ['price', name])))
  return {
    id: toSectionId('Price'),
    title: 'Price',
    paths: [['price']],
    summary: price === '' ? 'None' : price,
    content: (
      <Suspense fallback={<Skeleton lines={2} />}>
        <FormFields form={form} path={['price']} shape={shape} />
      </Suspense>
    ),
  }
}

function Basics(form: DocumentFormProps) {
  const hasDomain = formatPath(ownerPath(form.value)) !== 'domain'
  const common = { form, order: ORDER }
  return (
    <div className="grid gap-3 @sm:grid-cols-2">
      {form.isNew ? (
        <NewNames {...common} />
      ) : (
        <FormText {...common} label="Name" path={['name']} optional />
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
  )
}
