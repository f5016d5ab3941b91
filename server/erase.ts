import { createInterface } from 'node:readline/promises'
import { endAccessOfPerson } from './agreements/occasion-service.ts'
import { SYSTEM } from './ledger/activity/entry.ts'
import { eraseNotices } from './notices/notifications/erasure-service.ts'
import {
  assertNotLastOwner,
  eraseAddress,
  findErasure,
  listAllDocuments,
  type ErasureByOperator,
  type OperatorErasure,
} from './people/erasure/erasure-service.ts'
import type { DocumentWithAddress, ErasureCounts } from './people/erasure/erasure.ts'
import { ApiError } from './platform/errors.ts'
import { print, printResult } from './platform/output.ts'
import type { Database } from './platform/tables.ts'

/** The choices of the operator. */
export interface EraseChoices {
  /** Shows what would be erased, and changes nothing. */
  isDryRun: boolean
  /** Does not ask. */
  isConfirmed: boolean
  /** Erases every account with the address. */
  isAll: boolean
}

/** The databases of a command: one for transactions, one for long statements. */
interface EraseDatabases {
  db: Database
  bulkDb: Database
}

/**
 * Erases a person by their address, in all organizations, and lists the documents that still contain it. On a terminal it
 * asks first.
 *
 * Errors: not_found if nothing has the address; invalid_state if several accounts have it, and not all are asked for;
 * last_owner.
 */
export async function erasePerson(
  { db, bulkDb }: EraseDatabases,
  email: string,
  { isDryRun, isConfirmed, isAll }: EraseChoices,
): Promise<void> {
  const erasure = await findErasure(db, email)
  const { accounts } = erasure
  for (const one of accounts) print(describeAccount(one))
  if (accounts.length > 1 && !isAll) throw severalAccounts(email, accounts.length)
  for (const { memberships } of accounts) assertNotLastOwner(memberships)
  const isKnown = accounts.length > 0 || erasure.organizationIds.length > 0
  if (isKnown && !isDryRun) {
    if (!isConfirmed && !(await confirm(email))) return print('nothing was erased')
    const occasions = { endMembership: endAccessOfPerson, eraseNotices }
    await eraseAddress(db, email, occasions, SYSTEM)
    print(describeResult(erasure))
  }
  const documents = await listAllDocuments(bulkDb, email)
  if (!isKnown && documents.length === 0) {
    throw new ApiError(
      'not_found',
      `No account, invitation or document has the address ${JSON.stringify(email)}. If the person was erased before, there is nothing left to do.`,
    )
  }
  if (!isKnown) print(`no account and no invitation has the address ${JSON.stringify(email)}`)
  if (isDryRun) print('nothing was erased: this is a dry run')
  printDocuments(documents)
}

function describeAccount({ account, memberships, counts }: ErasureByOperator): string {
  const names = memberships.map(({ organization }) => JSON.stringify(organization))
  const of = names.length === 0 ? 'a member of no organization' : `a member of ${names.join(', ')}`
  return `account ${account.id}, ${of}: ${describeCounts(counts)}`
}

function describeCounts(counts: ErasureCounts): string {
  return [
    `${counts.sessions} sessions`,
    `${counts.apiKeys} personal API keys`,
    `${counts.follows} follows`,
    `${counts.notifications} notifications`,
    `${counts.invitations} invitations`,
    `${counts.agreements} access agreements that end`,
  ].join(', ')
}

function describeResult({ accounts, organizationIds }: OperatorErasure): string {
  return `erased ${accounts.length} accounts, and the name and the address in ${organizationIds.length} organizations`
}

function severalAccounts(email: string, count: number): ApiError {
  return new ApiError(
    'invalid_state',
    `${count} accounts have the address ${JSON.stringify(email)}, each of other organizations. Add --all to erase all of them; an owner can erase a member of a single organization on the page Members.`,
  )
}

// Without a terminal no one can answer: a script has decided.
async function confirm(email: string): Promise<boolean> {
  if (!process.stdin.isTTY) return true
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(
      `This cannot be undone. Type the address to erase ${JSON.stringify(email)}: `,
    )
    return answer.trim().toLowerCase() === email.trim().toLowerCase()
  } finally {
    lines.close()
  }
}

function printDocuments(
  documents: readonly (DocumentWithAddress & { organization: string })[],
): void {
  if (documents.length === 0) return print('no document contains the address')
  print(`${documents.length} documents contain the address, and were not changed:`)
  for (const { organization, kind, id, page, isFormer } of documents) {
    const where = page ?? 'no page'
    const former = isFormer ? ' (only former versions)' : ''
    printResult(`${kind} ${JSON.stringify(id)} ${where} of ${organization}${former}`)
  }
}
