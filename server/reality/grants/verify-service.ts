import { createHash } from 'node:crypto'
import { fixedClock, storeClock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { listCompared, listOpenFindings, type ComparedFinding } from './finding-store.ts'
import { judgeAgain } from './judge-service.ts'
import { listDue } from './upkeep-store.ts'

/**
 * Lists the open findings that do not follow from what is stored, and those that are missing, as sentences without names of
 * the platform: the grants of every integration are compared with agreements again, as of the last comparison. Integrations that
 * are due are left out, because what they depend on was changed since.
 */
export async function* listViolations(db: Database): AsyncGenerator<string> {
  const rows = await listCompared(db)
  if (rows.length === 0) return
  const due = await listDue(db, storeClock, rows.length)
  const isDue = new Set(due.map(({ integrationId }) => integrationId))
  for (const { organization, integration, comparedAt, ...key } of rows) {
    if (isDue.has(key.integrationId)) continue
    const result = await judgeAgain(db, fixedClock(comparedAt), key)
    if (result === undefined) continue
    const undecided = new Set(result.undecidedAgreements)
    const isDecided = ({ kind, agreementId }: ComparedFinding): boolean =>
      kind !== 'agreement_without_grant' || agreementId === null || !undecided.has(agreementId)
    const stored = await listOpenFindings(db, key)
    const open = new Set(stored.filter(isDecided).map(toText))
    const expected = new Set(result.findings.map(toText))
    const place = `integration "${integration}" (organization ${organization})`
    for (const text of open.difference(expected)) yield `${place}: ${text}, which is not the case`
    for (const text of expected.difference(open)) yield `${place}: ${text} is missing`
  }
}

function toText(finding: ComparedFinding): string {
  const { kind, productId, portId, consumer, agreementId, granteeKind, granteeName, facts } =
    finding
  const { via = '', ...rest } = facts
  const names = granteeKind === '' ? '' : ` ${granteeKind} ${toMark(granteeName)} ${toMark(via)}`
  const subject = consumer === null ? 'everyone' : `${consumer.kind} ${consumer.id}`
  const details = Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `the finding ${kind} of port ${portId} of "${productId}" for ${subject}${names}, agreement ${agreementId ?? 'none'}: ${JSON.stringify(details)}`
}

// A short text by which different names differ.
function toMark(name: string): string {
  return name === '' ? '-' : createHash('sha256').update(name).digest('hex').slice(0, 8)
}
