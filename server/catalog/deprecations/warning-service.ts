import { parseReplacement } from '../../../formats/data-product/replacement.ts'
import type { PortName } from '../../ledger/ports/task.ts'
import type { Problem } from '../../../formats/text/problem.ts'
import { clip } from '../../../formats/text/value.ts'
import type { DocumentRef } from './deprecation.ts'
import { resolveReplacements, type ReplacementServices } from './service.ts'
import * as store from './store.ts'
import type { DefinitionPlace, ReplacementPlace } from './target.ts'

/**
 * Returns a warning for each value of `replacedBy` that names nothing in this catalog. `draftPorts`: the output ports of a
 * product that is not stored yet.
 */
export async function warnOfReplacements(
  work: ReplacementServices,
  organizationId: string,
  of: DocumentRef,
  places: readonly ReplacementPlace[],
  draftPorts?: readonly PortName[],
): Promise<Problem[]> {
  const questions = places.map(({ value, isOfPort }) => ({ value, isOfPort, of }))
  const answers = await resolveReplacements(work, organizationId, questions, draftPorts)
  return places.flatMap(({ value, field, line, column }, at): Problem[] => {
    const isElsewhere = parseReplacement(value, work.baseUrl) === undefined && isAddress(value)
    if (answers[at] !== null || isElsewhere) return []
    const message = `Unknown replacement "${clip(value)}". Use the id or the address of a data product, an output port or a data contract.`
    return [{ field, line, column, message }]
  })
}

/** Returns a warning for each definition of this catalog that a contract names and that does not exist. */
export async function warnOfDefinitions(
  { db, baseUrl }: ReplacementServices,
  organizationId: string,
  places: readonly DefinitionPlace[],
): Promise<Problem[]> {
  const own = places.filter(
    ({ address }) => !isAddress(address) || address.startsWith(`${baseUrl}/`),
  )
  if (own.length === 0) return []
  const ids = own.map(({ definitionId }) => definitionId)
  const missing = new Set(await store.listMissingDefinitions(db, organizationId, ids))
  return own
    .filter(({ definitionId }) => missing.has(definitionId))
    .map(({ definitionId, field, line, column }) => {
      const message = `Unknown definition "${clip(definitionId)}". Create it with PUT /api/definitions/${clip(definitionId)}, or correct the address.`
      return { field, line, column, message }
    })
}

// An address outside of the catalog cannot be checked.
function isAddress(text: string): boolean {
  return /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text)
}
