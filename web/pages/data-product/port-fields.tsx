import { api } from '../../api/client.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
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
            {models.slice(0, MODELS_MAX).map(({ name, fields, origin }) => (
              <div key={origin} className="grid min-w-0 gap-1">
                <h4 className="user-text font-medium">{name}</h4>
                <FieldList label={`Fields of ${name}`} fields={fields.slice(0, FIELDS_MAX)} />
                {fields.length > FIELDS_MAX && (
                  <p className="text-sm text-muted">
                    {fields.length - FIELDS_MAX} more fields in the contract.
                  </p>
                )}
              </div>
            ))}
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
