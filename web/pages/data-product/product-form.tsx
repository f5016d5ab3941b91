import { Plus } from 'lucide-react'
import { useState } from 'react'
import { odpsShape } from '../../../formats/data-product/odps-shape.ts'
import { getField, asText, type Path, type Value } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { customPropertyEdits, getCustomPath } from '../../documents/custom-property.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormDeprecated } from '../../documents/form-flag.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { FormList, FormTags } from '../../documents/form-list.tsx'
import { FormSections, listCommonSections } from '../../documents/form-section.tsx'
import { FormTeam } from '../../documents/form-team.tsx'
import { useNewNaming } from '../../documents/new-naming.ts'
import { NewTeamDialog } from '../../documents/new-team-dialog.tsx'
import { toLabel } from '../../documents/to-label.ts'
import { Button } from '../../parts/button.tsx'
import { toChoices, type Choice } from '../../parts/choices.ts'

// The order in which ODPS documents are usually written: new fields find their place by it.
const FIELDS = (
  'apiVersion kind id name deprecated synonyms version status type domain context tenant description tags ' +
  'customProperties authoritativeDefinitions inputPorts outputPorts managementPorts support team productCreatedTs'
).split(' ')
const DESCRIPTION_FIELDS = ['purpose', 'limitations', 'usage']
const PORT_FIELDS = (
  'deprecated id name description type version contractId sbom inputContracts synonyms tags customProperties ' +
  'authoritativeDefinitions context'
).split(' ')
const SERVER_FIELDS = ['type', 'host', 'database', 'schema', 'table']
const SECTIONS = listCommonSections('data product', ['team', 'members'], { type: '', url: '' })

const STATUSES = toChoices(['proposed', 'draft', 'active', 'deprecated', 'retired'])
const PORT_TYPES = toChoices(['tables', 'files', 'topics', 'api', 'dashboard', 'ml-model'])

/** The form of an ODPS document: what it is, whose, and its ports. The source has the rest. */
export function ProductForm(form: DocumentFormProps) {
  const contracts = useContracts()
  const ofPort = { form, order: PORT_FIELDS, optional: true }
  const shape = odpsShape(asText(getField(form.value, 'apiVersion')))
  const versioned = { form, shape, order: PORT_FIELDS }
  return (
    <>
      <Identity form={form} />
      <FormDeprecated form={form} path={[]} shape={shape} order={FIELDS} />
      <Description form={form} />
      <FormTags form={form} path={['tags']} label="Tags" order={FIELDS} />
      <FormGuidance form={form} path={[]} shape={shape} order={FIELDS} />
      <FormList
        form={form}
        path={['outputPorts']}
        title="Output ports"
        empty="Add an output port for each table, topic or file that consumers read."
        addLabel="Add output port"
        newItem={{ name: '', version: '1.0.0' }}
        order={FIELDS}
        getName={(item, at) => portName(item, `Output port ${at + 1}`)}
      >
        {(path) => (
          <>
            <PortBasics form={form} path={path} contracts={contracts} />
            <FormText {...ofPort} path={[...path, 'type']} label="Type" choices={PORT_TYPES} />
            <FormText {...ofPort} path={[...path, 'description']} label="Description" multiline />
            <PortLocation form={form} path={path} hasServer />
            <FormDeprecated {...versioned} path={path} />
            <FormGuidance {...versioned} path={path} />
          </>
        )}
      </FormList>
      <FormList
        form={form}
        path={['inputPorts']}
        title="Input ports"
        empty="No input ports. Add one to show upstream lineage."
        addLabel="Add input port"
        newItem={{ name: '', version: '1.0.0', contractId: '' }}
        order={FIELDS}
        getName={(item, at) => portName(item, `Input port ${at + 1}`)}
      >
        {(path) => (
          <>
            <PortBasics form={form} path={path} contracts={contracts} />
            <PortLocation form={form} path={path} />
            <FormDeprecated {...versioned} path={path} />
          </>
        )}
      </FormList>
      <FormSections form={form} shape={shape} sections={SECTIONS} order={FIELDS} />
    </>
  )
}

function Identity({ form }: { form: DocumentFormProps }) {
  const common = { form, order: FIELDS }
  const { editsOfName, editsOfId } = useNewNaming(form, FIELDS)
  return (
    <>
      <FormText
        {...common}
        path={['name']}
        label="Name"
        {...(form.isNew ? { getEdits: editsOfName } : {})}
      />
      {form.isNew && (
        <FormText
          {...common}
          path={['id']}
          getEdits={editsOfId}
          label="Id"
          hint="Used in URLs and by the API. It cannot be changed later."
        />
      )}
      <FormTeam
        form={form}
        path={['team', 'name']}
        label="Owner"
        permission="DATAPRODUCT_ADD"
        getEdit={(id) => ({ kind: 'set', path: ['team', 'name'], value: id, order: FIELDS })}
      />
      <NewOwner form={form} order={FIELDS} />
      <div className="grid gap-4 sm:grid-cols-3">
        <FormText {...common} path={['status']} label="Status" choices={STATUSES} />
        <FormText {...common} path={['version']} label="Version" optional />
        <FormText {...common} path={['domain']} label="Domain" optional />
      </div>
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

interface PortBasicsProps {
  form: DocumentFormProps
  path: Path
  contracts: readonly Choice[]
}

function PortBasics({ form, path, contracts }: PortBasicsProps) {
  const common = { form, order: PORT_FIELDS }
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-[2fr_1fr]">
        <FormText {...common} path={[...path, 'name']} label="Name" />
        <FormText {...common} path={[...path, 'version']} label="Version" optional />
      </div>
      <FormText
        {...common}
        path={[...path, 'contractId']}
        label="Data contract"
        optional
        choices={contracts}
        hint="The id of a contract, which can be created later."
      />
    </>
  )
}

interface PortLocationProps {
  form: DocumentFormProps
  path: Path
  hasServer?: boolean
}

// Where the data of a port is: custom properties with agreed names, as the standard has none.
function PortLocation({ form, path, hasServer = false }: PortLocationProps) {
  const server = getCustomPath(form.value, path, 'server')
  const getEdits = (property: string, inner?: string) => (text: string) =>
    customPropertyEdits(
      form.value,
      { owner: path, property, order: PORT_FIELDS, ...(inner === undefined ? {} : { inner }) },
      text,
    )
  return (
    <>
      <FormText
        form={form}
        path={getCustomPath(form.value, path, 'location')}
        label="Location"
        optional
        hint="A URL or a path."
        getEdits={getEdits('location')}
      />
      {hasServer && (
        <div className="grid gap-3 sm:grid-cols-2">
          {SERVER_FIELDS.map((name) => (
            <FormText
              key={name}
              form={form}
              path={[...server, name]}
              label={toLabel(name)}
              optional
              getEdits={getEdits('server', name)}
            />
          ))}
        </div>
      )}
      <FormTags form={form} path={[...path, 'tags']} label="Port tags" order={PORT_FIELDS} />
    </>
  )
}

function portName(item: Value, otherwise: string): string {
  const name = asText(getField(item, 'name'))?.trim() ?? ''
  const version = asText(getField(item, 'version')) ?? ''
  return name === '' ? otherwise : `${name} ${version}`.trim()
}

// A few hundred are plenty to choose from by typing.
function useContracts(): readonly Choice[] {
  const { data } = api.useQuery('get', '/api/search', {
    params: { query: { resourceType: ['DATA_CONTRACT'], limit: 100, facets: false } },
  })
  return data?.results.map(({ id, name }) => ({ value: id, label: name, detail: id })) ?? []
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
