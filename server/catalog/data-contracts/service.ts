import { NO_OWNER } from '../../../formats/data-contract/contract-fields.ts'
import { dcsShape } from '../../../formats/data-contract/dcs/shape.ts'
import { ODCS_NEWEST, odcsShape } from '../../../formats/data-contract/odcs/shape.ts'
import { clip } from '../../../formats/text/value.ts'
import { addAccessConsumers } from '../../agreements/use-service.ts'
import type {
  DocumentChange,
  DocumentType,
  PlanningServices,
} from '../../documents/document-type.ts'
import type { ResourceKey } from '../../documents/resource.ts'
import { countUses, type ResourceUse, type ResourceUses } from '../../documents/resource-use.ts'
import type { Affected } from '../../ledger/ports/port.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { toStandardSchema } from '../../requests/http/document-schema.ts'
import type { ReadingServices } from '../../requests/http/endpoint.ts'
import type { ContractUser } from '../../ledger/ports/port.ts'
import { listAffected, splitContractUsers, listContractUsers } from '../../ledger/ports/service.ts'
import { warnOfDefinitions, warnOfReplacements } from '../deprecations/warning-service.ts'
import { CONTRACT_READER, type ContractPlanData } from './data-contract.ts'
import { CONTRACT_TASKS } from './task.ts'

// They have members that the newest versions no longer have.
const OLDER_CONTRACTS = [odcsShape('v2.2.2'), odcsShape('v3.0.0'), dcsShape('0.9.0')]

/** Data contracts as a type of document. */
export const CONTRACTS: DocumentType<ContractPlanData> = {
  kind: CONTRACT_READER.kind,
  bytesMax: 5 * 1024 * 1024,
  nodesMax: CONTRACT_READER.nodesMax,
  schema: toStandardSchema([ODCS_NEWEST, dcsShape(undefined), ...OLDER_CONTRACTS]).openapi(
    'DataContract',
    {
      description: 'A data contract in ODCS or DCS, as it was sent',
    },
  ),
  unownedWarning: NO_OWNER,
  hasParts: true,
  tasks: CONTRACT_TASKS,
  getRealitySubject: (_, { id, isNew, row }) => ({
    kind: 'contracts',
    ids: [id],
    makesPromises: !isNew || (row?.promises ?? []).length > 0,
  }),
  getConsequences,
  findUse,
  listReaders,
}

// A change affects the data products that provide or consume data under the contract, and those who have access to it.
async function getConsequences(
  work: PlanningServices,
  { organizationId, id, planData, isUpdate }: DocumentChange<ContractPlanData>,
) {
  const affected = isUpdate
    ? await addAccess(work, organizationId, id, await listContractUsers(work, organizationId, [id]))
    : []
  const of = { kind: 'data-contract', id } as const
  const warnings = [
    ...(await warnOfReplacements(work, organizationId, of, planData.replacements)),
    ...(await warnOfDefinitions(work, organizationId, planData.definitions)),
  ]
  return { affected, exports: planData.exports, warnings }
}

// A contract that still has providers cannot be deleted, so that only its consumers are listed.
async function listReaders(
  work: ReadingServices,
  { organizationId, id }: ResourceKey,
): Promise<Affected[]> {
  const { consumers } = splitContractUsers(await listContractUsers(work, organizationId, [id]))
  return await addAccess(work, organizationId, id, consumers)
}

async function addAccess(
  { db }: ReadingServices,
  organizationId: string,
  id: string,
  users: readonly ContractUser[],
): Promise<Affected[]> {
  return await addAccessConsumers(db, organizationId, { contracts: [id] }, listAffected(users))
}

async function findUse(
  work: ReadingServices,
  { organizationId }: Caller,
  id: string,
): Promise<ResourceUses | undefined> {
  const { providers } = splitContractUsers(await listContractUsers(work, organizationId, [id]))
  return countUses(providers.flatMap(listPortUses), 'Name another contract there first.')
}

function listPortUses({ id, name, ports }: ContractUser): ResourceUse[] {
  return ports.map((port) => ({
    kind: 'data-product',
    called: 'data product',
    id,
    name,
    port: port.id,
    relation: `provides data under it through output port ${clip(port.id)}`,
  }))
}
