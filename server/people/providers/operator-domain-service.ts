import { ApiError } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { verifyByOperator } from './domain-service.ts'
import { listHolders, listOrganizations, type DomainHolder } from './domain-store.ts'
import { toMailDomain } from './domain.ts'
import { lockOrganization } from './store.ts'

/** The organization that has a domain now, and the one that lost it. */
export interface OperatorVerification {
  domain: string
  organizationName: string
  lostBy: string | undefined
}

/**
 * Verifies a mail domain by the word of the operator. The text is a domain, or the address of an organization, a slash and
 * a domain; without an organization it is the only one that has added the domain, or the only one of the installation.
 * It takes the domain from any other organization. Errors: invalid_state, not_found.
 */
export async function verifyDomainOfOperator(
  db: Database,
  clock: Clock,
  text: string,
): Promise<OperatorVerification> {
  const slash = text.lastIndexOf('/')
  const domain = toMailDomain(text.slice(slash + 1))
  if (domain === undefined) {
    throw new ApiError(
      'invalid_state',
      `"${text.slice(slash + 1)}" is not a domain like example.com`,
    )
  }
  const address = slash === -1 ? undefined : text.slice(0, slash)
  const organization = await findOrganization(db, domain, address)
  return await db.transaction().execute(async (transaction) => {
    const { organizationId, organizationName } = organization
    await lockOrganization(transaction, organizationId)
    const former = await verifyByOperator(transaction, clock, { organizationId, domain })
    return { domain, organizationName, lostBy: former?.organizationName }
  })
}

async function findOrganization(
  db: Database,
  domain: string,
  address: string | undefined,
): Promise<Pick<DomainHolder, 'organizationId' | 'organizationName'>> {
  if (address !== undefined) {
    const [found] = await listOrganizations(db, address)
    if (found === undefined) {
      throw new ApiError('not_found', `no organization has the address "${address}"`)
    }
    return found
  }
  const holders = await listHolders(db, domain)
  const [only, ...others] = holders.length > 0 ? holders : await listOrganizations(db)
  if (only !== undefined && others.length === 0) return only
  const names = [...(only === undefined ? [] : [only]), ...others].map((one) => one.vanityUrl)
  throw new ApiError(
    'invalid_state',
    names.length === 0
      ? 'the catalog has no organization yet'
      : `several organizations are possible: ${names.map((name) => `${name}/${domain}`).join(', ')}`,
  )
}
