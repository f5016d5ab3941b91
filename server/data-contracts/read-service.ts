import { exportContract, type ExportFormat } from '../../formats/data-contract/export.ts'
import type { Model, Written } from '../../formats/schema/model.ts'
import type { Platform } from '../../formats/schema/types/native-type.ts'
import type { Problem } from '../../formats/problem.ts'
import type { RegisteredDocument } from '../documents/document.ts'
import { getDocument } from '../documents/read-service.ts'
import { readStored } from '../http/document.ts'
import type { Instant } from '../kit/clock.ts'
import type { ContractUse } from '../ports/port.ts'
import { useOf, usersOf } from '../ports/service.ts'
import type { Database } from '../tables.ts'
import { CONTRACTS } from './service.ts'

/** The models of a contract, now or as of an instant, and what could not be read. Errors: not_found. */
export async function modelsOf(
  db: Database,
  organizationId: string,
  id: string,
  asOf: Instant | undefined,
): Promise<{ models: Model[]; warnings: readonly Problem[] }> {
  const stored = await getDocument(db, CONTRACTS, organizationId, id, asOf)
  const { read, warnings } = readAgain(stored, id)
  return { models: read.contract.models, warnings }
}

/** A contract in another format; one that is in that format already comes as it was sent. Errors: not_found. */
export async function exportOf(
  db: Database,
  organizationId: string,
  id: string,
  wanted: { format: ExportFormat; dialect?: Platform | undefined },
): Promise<Written & { mediaType: string }> {
  const stored = await getDocument(db, CONTRACTS, organizationId, id)
  const { document, mediaType, format } = stored
  if (format === wanted.format) return { text: document, mediaType, losses: [] }
  return exportContract(readAgain(stored, id).read, wanted)
}

/** Who provides and who consumes data under a contract. Errors: not_found. */
export async function contractUseOf(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ContractUse> {
  await getDocument(db, CONTRACTS, organizationId, id)
  return useOf(await usersOf(db, organizationId, [id]))
}

function readAgain(stored: RegisteredDocument, id: string) {
  const reading = CONTRACTS.read(readStored(stored), { id, strict: false })
  if (!reading.ok) throw new Error(`the stored data contract ${id} is not readable any more`)
  return reading
}
