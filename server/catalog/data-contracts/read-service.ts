import type { GenerationType } from '../../../formats/generate/generate.ts'
import type { RegisteredDocument } from '../../documents/document.ts'
import { getDocument } from '../../documents/read-service.ts'
import { ApiError } from '../../platform/errors.ts'
import { loadEarlierVersions } from '../../ledger/history/service.ts'
import type { StoredText } from '../../requests/http/document.ts'
import type { ReadingServices } from '../../requests/http/endpoint.ts'
import type { TextOutput } from '../../requests/http/offload.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import type { ContractUse } from '../../ledger/ports/port.ts'
import { splitContractUsers, listContractUsers } from '../../ledger/ports/service.ts'
import { CONTRACTS } from './service.ts'
import { listServers, writeExport, writeGeneration, writeModels, writeReport } from './task.ts'
import type { EarlierVersions, ExportWish, LocatedServer, StoredContract } from './task.ts'

/**
 * Returns the models of a contract, now or as of an instant, and the unreadable parts of its schema, as JSON.
 * Errors: not_found, document_too_costly, overloaded.
 */
export async function getModels(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
  asOf: Instant | undefined,
): Promise<TextOutput> {
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, id, asOf)
  return await offload.runOnce(organizationId, writeModels, getInput(stored, id), stored, id)
}

/** Lists the servers of a contract. Errors: not_found, document_too_costly, overloaded. */
export async function listContractServers(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
): Promise<LocatedServer[]> {
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, id)
  return await offload.run(organizationId, listServers, getInput(stored, id), [stored])
}

// Reading these takes about as long as reading the largest contract.
const NUMBER_HISTORY_LIMITS = { versionsMax: 200, bytesMax: 2 * 1024 * 1024 }

/**
 * A contract in another format; one that is in that format already comes as it was sent. Errors: not_found,
 * document_too_costly, overloaded.
 */
export async function exportStored(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
  { format, dialect, apiVersion, report }: ExportWish,
): Promise<TextOutput> {
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, id)
  const { document, mediaType } = stored
  if (format === stored.format && apiVersion === undefined) {
    if (!report) return { text: document, mediaType, headers: {} }
    return { text: writeReport(format, []), mediaType: 'application/json', headers: {} }
  }
  const wish = { format, dialect, apiVersion, report }
  const name = { organizationId, kind: CONTRACTS.kind, externalId: id }
  const earlier =
    format === 'protobuf'
      ? await loadEarlierVersions(db, name, stored.digest, NUMBER_HISTORY_LIMITS)
      : undefined
  const options = JSON.stringify([id, wish, earlier?.isPartial])
  const input = { ...getInput(stored, id), wish, earlier }
  return await offload.runOnce(
    organizationId,
    writeExport,
    input,
    joinTexts(stored, earlier),
    options,
  )
}

/** Generates files from a contract: a JSON array. Errors: not_found, invalid_state for a contract that is not ODCS. */
export async function generateStored(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
  type: GenerationType,
): Promise<TextOutput> {
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, id)
  if (stored.format !== 'odcs') {
    throw new ApiError(
      'invalid_state',
      `Files are generated from ODCS only, and this data contract is ${stored.format.toUpperCase()}. Convert it with GET /api/datacontracts/{id}/export?format=odcs.`,
    )
  }
  const input = { ...getInput(stored, id), type }
  return await offload.runOnce(organizationId, writeGeneration, input, stored, `${id} ${type}`)
}

// The task reads all versions: their total size decides where it runs, and their text identifies its result.
function joinTexts(stored: StoredText, earlier: EarlierVersions | undefined): StoredText {
  const texts = [stored, ...(earlier?.versions ?? [])]
  const isYaml = texts.some(({ mediaType }) => mediaType === 'application/yaml')
  return {
    document: texts.map(({ document }) => document).join('\n'),
    mediaType: isYaml ? 'application/yaml' : stored.mediaType,
  }
}

/** Returns the data products that provide and consume data under a contract. Errors: not_found. */
export async function findContractUse(
  work: ReadingServices,
  organizationId: string,
  id: string,
): Promise<ContractUse> {
  await getDocument(work.db, CONTRACTS.kind, organizationId, id)
  return splitContractUsers(await listContractUsers(work, organizationId, [id]))
}

function getInput(
  { document, documentJson, mediaType }: RegisteredDocument,
  id: string,
): StoredContract {
  return { id, document, documentJson, mediaType }
}
