import { api } from '../../api/client.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import {
  DeprecatedMark,
  type DeprecatedPart,
  Deprecations,
  useDeprecatedParts,
  UseInstead,
} from '../../documents/deprecations.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import type { FieldExtra } from '../../parts/schema-tree-field.tsx'
import { hasDeprecated, type SchemaModel } from '../../parts/schema-tree-rows.ts'
import { FieldList } from '../../parts/schema-tree.tsx'
import { paths } from '../../paths.ts'

const FIELDS_MAX = 25
const MODELS_MAX = 5

/** The fields of each model of a contract. */
export function PortFields({ contractId }: { contractId: string }) {
  const model = api.useQuery('get', '/api/datacontracts/{id}/model', {
    params: { path: { id: contractId } },
  })
  return (
    <Loaded
      query={model}
      skeleton={{ lines: 4 }}
      empty={<p className="text-muted">The contract has no fields.</p>}
      isEmpty={({ models }) => models.length === 0}
    >
      {({ models }) => (
        <div className="grid gap-3 rounded-md bg-sunken p-3">
          <ClassificationsProvider>
            <Deprecations
              of={hasDeprecated(models) ? [{ kind: 'data-contract', id: contractId }] : []}
            >
              {models.slice(0, MODELS_MAX).map((model) => (
                <ModelFields key={model.origin} contractId={contractId} model={model} />
              ))}
            </Deprecations>
          </ClassificationsProvider>
          <Link href={paths.dataContract(contractId)}>
            {models.length > MODELS_MAX
              ? `All ${models.length} models of the contract`
              : 'The whole contract'}
          </Link>
        </div>
      )}
    </Loaded>
  )
}

function ModelFields({ contractId, model }: { contractId: string; model: SchemaModel }) {
  const { name, fields, origin, deprecated } = model
  const parts = useDeprecatedParts({ kind: 'data-contract', id: contractId })
  const find = (pointer: string) => parts.find((part) => part.pointer === pointer)
  return (
    <div className="grid min-w-0 gap-1">
      <h4 className="user-text flex flex-wrap items-center gap-x-2 font-medium">
        {name}
        {deprecated === true && <DeprecatedMark part={find(origin)} />}
      </h4>
      <FieldList
        label={`Fields of ${name}`}
        fields={fields.slice(0, FIELDS_MAX)}
        getExtra={(pointer) => toExtra(find(pointer))}
      />
      {fields.length > FIELDS_MAX && (
        <p className="text-sm text-muted">
          {fields.length - FIELDS_MAX} more fields in the contract.
        </p>
      )}
    </div>
  )
}

function toExtra(part: DeprecatedPart | undefined): FieldExtra | undefined {
  return part && { marks: [], facts: [], instead: <UseInstead part={part} /> }
}
