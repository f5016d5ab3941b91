import type { MediaType } from '../../../formats/text/text.ts'
import { CONTRACTS } from '../../catalog/data-contracts/service.ts'
import { getDocument } from '../../documents/read-service.ts'
import type { DocumentPlan, WriteServices } from '../../documents/resource.ts'
import { newDocumentResource } from '../../documents/service.ts'
import { writeDocument } from '../../documents/write-service.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import { listTiers } from './comparison-store.ts'
import type { DifferingModel } from './drift.ts'
import { listDifferingModels } from './proposal-store.ts'
import { writeProposal } from './proposal-task.ts'

/** The most tables whose differences one proposal adopts. */
const TABLES_MAX = 100

// A proposal is a plan that everyone who reads the contract may see. Only its PUT needs a permission.
const CONTRACT = newDocumentResource(CONTRACTS)
const PLANNED: typeof CONTRACT = {
  ...CONTRACT,
  access: {
    requireEdit() {},
    requireChange() {},
    requireDelete: CONTRACT.access.requireDelete,
  },
}

/** A contract that is to adopt differences of its tables. */
interface ProposalRequest {
  contractId: string
  /** The ids of the differences; undefined = the breaking ones that count. */
  findings: readonly string[] | undefined
  requestId: string
}

/** The proposed text of a contract, and the plan of its PUT. */
interface ContractProposal {
  document: string
  mediaType: MediaType
  plan: DocumentPlan
}

/**
 * Proposes the text of a contract that promises what its tables are. Nothing is written. Errors: not_found,
 * validation_failed for a difference that is not open, invalid_state for one that the text cannot adopt, those of a dry run.
 */
export async function proposeContract(
  services: WriteServices,
  caller: Caller,
  { contractId, findings: ids, requestId }: ProposalRequest,
): Promise<ContractProposal> {
  const { db, clock, offload } = services
  const { organizationId } = caller
  const { document, mediaType: stored } = await getDocument(
    db,
    CONTRACTS.kind,
    organizationId,
    contractId,
  )
  const mediaType: MediaType = stored === 'application/json' ? stored : 'application/yaml'
  const contract = { organizationId, contractId }
  const tables = await listDifferingModels(db, clock, contract, ids, TABLES_MAX + 1)
  requireTables(tables, ids)
  const tiers = await listTiers(db, organizationId)
  const texts = [
    { document, mediaType },
    ...tables.flatMap(({ asset }) =>
      asset === null ? [] : [{ document: asset, mediaType: 'application/json' }],
    ),
  ]
  const input = { id: contractId, text: document, mediaType, tables, tiers }
  const proposal = await offload.run(organizationId, writeProposal, input, texts)
  if (!proposal.ok) throw refuse(tables, proposal)
  const { plan } = await writeDocument(services, caller, PLANNED, {
    id: contractId,
    body: { text: proposal.text, mediaType },
    conditions: { ifMatch: undefined, ifNoneMatch: undefined },
    strict: false,
    dryRun: true,
    requestId,
  })
  return { document: proposal.text, mediaType, plan }
}

function requireTables(
  tables: readonly DifferingModel[],
  ids: readonly string[] | undefined,
): void {
  if (tables.length > TABLES_MAX) {
    const message = `must be of at most ${TABLES_MAX} tables; without a list, all breaking ones are proposed`
    throw invalidRequest([{ field: 'findings', message }])
  }
  const open = new Set(tables.flatMap(({ findings }) => findings.map(({ id }) => id)))
  const violations = (ids ?? []).flatMap((id, at) =>
    open.has(id.toLowerCase())
      ? []
      : [{ field: `findings.${at}`, message: 'is not an open difference of this contract' }],
  )
  if (violations.length > 0) throw invalidRequest(violations)
}

function refuse(
  tables: readonly DifferingModel[],
  { findingId, reason }: { findingId: string; reason: string },
): ApiError {
  for (const { server, model, findings } of tables) {
    const finding = findings.find(({ id }) => id === findingId)
    if (finding === undefined) continue
    const place = finding.field === '' ? model : `${model}.${finding.field}`
    return new ApiError(
      'invalid_state',
      `The difference ${finding.aspect} of ${place} on ${server} cannot be written into the contract. ${reason}`,
      { jsonExtensions: { findings: JSON.stringify([{ server, model, ...finding }]) } },
    )
  }
  return new ApiError('invalid_state', reason)
}
