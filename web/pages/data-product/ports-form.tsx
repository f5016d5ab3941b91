import type { Shape } from '../../../formats/shape/shape.ts'
import type { Path } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { customPropertyEdits, getCustomPath } from '../../documents/custom-property.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { FormText } from '../../documents/form-field.tsx'
import { FormDeprecated } from '../../documents/form-flag.tsx'
import { FormGuidance } from '../../documents/form-guidance.tsx'
import { FormList } from '../../documents/form-list.tsx'
import { FormTags } from '../../documents/form-tags.tsx'
import { toLabel } from '../../documents/to-label.ts'
import { toChoices, type Choice } from '../../parts/choices.ts'
import { getPortName } from './port-name.ts'
import { PRODUCT_FIELDS as FIELDS } from './product-fields.ts'

const PORT_FIELDS = (
  'deprecated id name description type version contractId sbom inputContracts synonyms tags customProperties ' +
  'authoritativeDefinitions context'
).split(' ')
const SERVER_FIELDS = ['type', 'host', 'database', 'schema', 'table']
const PORT_TYPES = toChoices(['tables', 'files', 'topics', 'api', 'dashboard', 'ml-model'])

interface PortsProps {
  form: DocumentFormProps
  shape: Shape
}

/** The output ports of an ODPS document in its form. */
export function OutputPorts({ form, shape }: PortsProps) {
  const contracts = useContracts()
  const ofPort = { form, order: PORT_FIELDS, optional: true }
  const versioned = { form, shape, order: PORT_FIELDS }
  return (
    <FormList
      form={form}
      path={['outputPorts']}
      empty="Add an output port for each table, topic or file that consumers read."
      addLabel="Add output port"
      newItem={{ name: '', version: '1.0.0' }}
      order={FIELDS}
      getName={(item, at) => getPortName(item, `Output port ${at + 1}`)}
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
  )
}

/** The input ports of an ODPS document in its form. */
export function InputPorts({ form, shape }: PortsProps) {
  const contracts = useContracts()
  return (
    <FormList
      form={form}
      path={['inputPorts']}
      empty="No input ports. Add one to show upstream lineage."
      addLabel="Add input port"
      newItem={{ name: '', version: '1.0.0', contractId: '' }}
      order={FIELDS}
      getName={(item, at) => getPortName(item, `Input port ${at + 1}`)}
    >
      {(path) => (
        <>
          <PortBasics form={form} path={path} contracts={contracts} />
          <PortLocation form={form} path={path} />
          <FormDeprecated {...{ form, shape, order: PORT_FIELDS }} path={path} />
        </>
      )}
    </FormList>
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
      <div className="grid gap-3 @sm:grid-cols-[2fr_1fr]">
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
        <div className="grid gap-3 @sm:grid-cols-2">
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

// A few hundred are plenty to choose from by typing.
function useContracts(): readonly Choice[] {
  const { data } = api.useQuery('get', '/api/search', {
    params: { query: { resourceType: ['DATA_CONTRACT'], limit: 100, facets: false } },
  })
  return data?.results.map(({ id, name }) => ({ value: id, label: name, detail: id })) ?? []
}
