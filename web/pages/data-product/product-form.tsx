import { Plus } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { odpsShape } from '../../../formats/data-product/odps-shape.ts'
import type { Shape } from '../../../formats/shape/shape.ts'
import { getField, asText, valueAt, type Value } from '../../../formats/text/value.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormDeprecated } from '../../documents/form-flag.tsx'
import { FormOutline, type OutlineSection } from '../../documents/form-outline.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { createListSections, toSectionId } from '../../documents/list-sections.tsx'
import { NewTeamDialog } from '../../documents/new-team-dialog.tsx'
import { listCommonSections } from '../../documents/section-records.ts'
import { summarizeNames, summarizeTexts } from '../../documents/section-summary.ts'
import { Button } from '../../parts/button.tsx'
import { lazyPart, newChunk, takePart } from '../../parts/lazy-part.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { toChoices } from '../../parts/choices.ts'
import { getPortName } from './port-name.ts'
import { DESCRIPTION_FIELDS, PRODUCT_FIELDS as FIELDS } from './product-fields.ts'

const NewNames = lazyPart(() => import('../../documents/new-names.tsx'), 'NewNames')
const ProductDescription = lazyPart(() => import('./product-description.tsx'), 'ProductDescription')
const ports = newChunk(() => import('./ports-form.tsx'))
const OutputPorts = takePart(ports, (module) => module.OutputPorts)
const InputPorts = takePart(ports, (module) => module.InputPorts)

const LISTS = listCommonSections('data product', ['team', 'members'], { type: '', url: '' })

const STATUSES = toChoices(['proposed', 'draft', 'active', 'deprecated', 'retired'])

/** The form of an ODPS document: what it is, whose, and its ports. The source has the rest. */
export function ProductForm(form: DocumentFormProps) {
  const shape = odpsShape(asText(getField(form.value, 'apiVersion')))
  const lists = createListSections({ form, shape, records: LISTS, order: FIELDS })
  const sections = [
    createBasics(form, shape),
    createDescription(form, shape),
    createPorts(
      'outputPorts',
      'Output ports',
      form.value,
      <OutputPorts form={form} shape={shape} />,
    ),
    createPorts('inputPorts', 'Input ports', form.value, <InputPorts form={form} shape={shape} />),
    ...lists,
  ]
  const openFirst = sections.slice(0, form.isNew ? 3 : 1).map(({ id }) => id)
  return <FormOutline name="data product" {...{ form, sections, openFirst }} />
}

function createBasics(form: DocumentFormProps, shape: Shape): OutlineSection {
  const paths = [['name'], ['id'], ['team', 'name'], ['status'], ['version'], ['domain']]
  return {
    id: toSectionId('Basics'),
    title: 'Basics',
    paths: [...paths, ['deprecated']],
    summary: summarizeTexts(paths.map((path) => valueAt(form.value, path))),
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <Identity form={form} />
        <FormDeprecated form={form} path={[]} shape={shape} order={FIELDS} />
      </Suspense>
    ),
  }
}

function createDescription(form: DocumentFormProps, shape: Shape): OutlineSection {
  const description = getField(form.value, 'description')
  const texts = DESCRIPTION_FIELDS.map((name) => getField(description, name))
  return {
    id: toSectionId('Description'),
    title: 'Description',
    paths: [['description'], ['tags'], ['synonyms'], ['context']],
    summary: summarizeTexts([description, ...texts]),
    content: (
      <Suspense fallback={<Skeleton lines={4} />}>
        <ProductDescription form={form} shape={shape} />
      </Suspense>
    ),
  }
}

function createPorts(
  name: string,
  title: string,
  value: Value,
  content: ReactNode,
): OutlineSection {
  const ports = getField(value, name)
  const names = (Array.isArray(ports) ? ports : []).map((port, at) =>
    getPortName(port, String(at + 1)),
  )
  return {
    id: toSectionId(title),
    title,
    paths: [[name]],
    summary: summarizeNames(names),
    content: <Suspense fallback={<Skeleton lines={3} />}>{content}</Suspense>,
  }
}

function Identity({ form }: { form: DocumentFormProps }) {
  const common = { form, order: FIELDS }
  return (
    <>
      {form.isNew ? (
        <NewNames {...common} />
      ) : (
        <FormText {...common} path={['name']} label="Name" />
      )}
      <FormTeam
        form={form}
        path={['team', 'name']}
        label="Owner"
        permission="DATAPRODUCT_ADD"
        getEdit={(id) => ({ kind: 'set', path: ['team', 'name'], value: id, order: FIELDS })}
      />
      <NewOwner form={form} order={FIELDS} />
      <div className="grid gap-4 @sm:grid-cols-3">
        <FormText {...common} path={['status']} label="Status" choices={STATUSES} />
        <FormText {...common} path={['version']} label="Version" optional />
        <FormText {...common} path={['domain']} label="Domain" optional />
      </div>
    </>
  )
}

interface NewOwnerProps {
  form: DocumentFormProps
  /** The customary order of the fields of the document. */
  order: readonly string[]
}

/** Creates the team that owns a product; only an owner of the organization can add one at the top. */
function NewOwner({ form, order }: NewOwnerProps) {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!mayOwn(session).allowed) return null
  return (
    <div className="-mt-2">
      <Button icon={Plus} onClick={() => setOpen(true)}>
        New team
      </Button>
      {isOpen && (
        <NewTeamDialog
          onClose={() => setOpen(false)}
          onCreated={(id) => {
            setOpen(false)
            void form.onEdit({ kind: 'set', path: ['team', 'name'], value: id, order })
          }}
        />
      )}
    </div>
  )
}
