import { readTime } from '../platform/kit/clock.ts'
import { acceptFinding } from '../reality/drift/acceptance-service.ts'
import { listFindings } from '../reality/drift/list-service.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { findPrincipal, type Principals } from './people.ts'
import { newOwnerCaller } from './register.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const ACCEPTED_DAYS = 60

/** A contract of the demo whose differences its owner has accepted. */
const ACCEPTED = {
  contractId: 'incident-reports',
  person: 'jorrit.wael',
  reason:
    'The embeddings are computed by the next release of the incident desk. Until then search by text.',
}

/** Accepts the differences of a contract whose table is not complete yet. */
export async function acceptDifferences(
  services: Services,
  organizationId: string,
  principals: Principals,
): Promise<void> {
  const { db, clock } = services
  const { contractId, person, reason } = ACCEPTED
  const caller = newOwnerCaller(organizationId, findPrincipal(principals, person))
  const until = new Date(Date.parse(await readTime(db, clock)) + ACCEPTED_DAYS * DAY_MS)
  const filter = { dataContractId: contractId, level: 'breaking', status: 'open' } as const
  const { elements } = await listFindings(db, clock, organizationId, filter, 0)
  for (const { id } of elements) {
    const acceptance = { id, reason, until: until.toISOString(), requestId: 'demo' }
    await acceptFinding(services, caller, acceptance)
  }
}
