import { randomBytes } from 'node:crypto'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { NameServerFailure } from '../../platform/kit/txt-records.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './domain-store.ts'
import { DOMAINS_MAX, toMailDomain, toRecordName, toRecordText, type MailDomain } from './domain.ts'
import { limitTrials } from './provider-services.ts'
import { isPublicMailDomain } from './public-mail-domains.ts'
import { lockOrganization } from './store.ts'

/** The services that change domains. */
type DomainServices = Pick<Services, 'db' | 'clock' | 'resolveTxt' | 'trialRate'>

/** A domain in a request. */
interface DomainInput {
  domain: string
  requestId: string
}

// The found texts in a message.
const TEXTS_SHOWN = 3
const TEXT_CHARACTERS_SHOWN = 80

/** Lists the domains of an organization by name. */
export async function listDomains(
  { db }: Pick<Services, 'db'>,
  { organizationId }: Caller,
): Promise<MailDomain[]> {
  return await store.listDomains(db, organizationId)
}

/**
 * Adds a domain. It is verified at once if the organization is the only one of the installation. Errors:
 * validation_failed, limit_reached.
 */
export async function addDomain(
  { db, clock }: DomainServices,
  { organizationId, principal }: Caller,
  { domain, requestId }: DomainInput,
): Promise<MailDomain> {
  if (isPublicMailDomain(domain)) {
    const message = `must be your own: everyone can get an address in ${domain}`
    throw invalidRequest([{ field: 'domain', message }])
  }
  const change = { organizationId, domain, principal, requestId }
  return await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId)
    const others = await store.listDomains(transaction, organizationId)
    if (others.some((other) => other.domain === domain)) {
      throw invalidRequest([{ field: 'domain', message: 'is in the list already' }])
    }
    if (others.length >= DOMAINS_MAX) {
      throw new ApiError(
        'limit_reached',
        `The organization has ${DOMAINS_MAX} mail domains. Remove one first.`,
      )
    }
    await store.insertDomain(transaction, clock, change, newChallenge())
    if (await store.isOnlyOrganization(transaction, organizationId)) {
      await store.lockDomain(transaction, domain)
      await store.verifyDomain(transaction, clock, change, 'only-organization')
    }
    return await getDomain(transaction, organizationId, domain)
  })
}

/**
 * Verifies a domain by its TXT record, which takes it from an organization without a proof. Errors: not_found,
 * too_many_requests, invalid_state (with what was found), domain_taken.
 */
export async function checkDomain(
  services: DomainServices,
  { organizationId, principal }: Caller,
  { domain: given, requestId }: DomainInput,
): Promise<MailDomain> {
  const { db, clock } = services
  const { domain, challenge, proof } = await getDomain(db, organizationId, toMailDomain(given))
  if (proof === 'dns' || proof === 'operator') return await getDomain(db, organizationId, domain)
  limitTrials(services, organizationId)
  await assertRecord(services, domain, challenge)
  const change = { organizationId, domain, principal, requestId }
  return await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId)
    await store.lockDomain(transaction, domain)
    const current = await getDomain(transaction, organizationId, domain)
    // It was removed and added again in the meantime: the record has a former challenge.
    if (current.challenge !== challenge) throw notFound()
    const holder = await findOtherHolder(transaction, organizationId, domain)
    if (holder !== undefined && holder.proof !== 'only-organization') {
      throw new ApiError(
        'domain_taken',
        `Another organization of this installation has proved that ${domain} is its own. If it is yours now, the operator can move it.`,
      )
    }
    if (holder !== undefined) await withdraw(transaction, holder, domain)
    await store.verifyDomain(transaction, clock, change, 'dns')
    return await getDomain(transaction, organizationId, domain)
  })
}

/** Removes a domain that no provider names. Errors: not_found, in_use. */
export async function removeDomain(
  { db }: DomainServices,
  { organizationId, principal }: Caller,
  { domain: given, requestId }: DomainInput,
): Promise<void> {
  const domain = toMailDomain(given) ?? ''
  await db.transaction().execute(async (transaction) => {
    await lockOrganization(transaction, organizationId)
    const providers = await store.listProvidersOfDomain(transaction, organizationId, domain)
    if (providers.length > 0) {
      const names = providers.map((name) => `"${name}"`).join(', ')
      throw new ApiError(
        'in_use',
        `The identity provider ${names} signs in people of ${domain}. Remove it from the domains there first.`,
      )
    }
    const change = { organizationId, domain, principal, requestId }
    if (!(await store.deleteDomain(transaction, change))) throw notFound()
  })
}

/**
 * Verifies a domain by the word of the operator, adds it if the organization lacks it, and takes it from any other
 * organization. Its caller holds the lock of the organization. Returns the organization that lost it.
 */
export async function verifyByOperator(
  transaction: Database,
  clock: Clock,
  { organizationId, domain }: { organizationId: string; domain: string },
  actor: ActivityActor = SYSTEM,
): Promise<store.DomainHolder | undefined> {
  const change = { organizationId, domain, ...actor }
  await store.lockDomain(transaction, domain)
  const holder = await findOtherHolder(transaction, organizationId, domain)
  if (holder !== undefined) await withdraw(transaction, holder, domain)
  await store.insertDomain(transaction, clock, change, newChallenge())
  await store.verifyDomain(transaction, clock, change, 'operator')
  return holder
}

async function getDomain(db: Database, organizationId: string, domain = ''): Promise<MailDomain> {
  const found = await store.findDomain(db, organizationId, domain)
  if (found === undefined) throw notFound()
  return found
}

async function findOtherHolder(
  transaction: Database,
  organizationId: string,
  domain: string,
): Promise<store.DomainHolder | undefined> {
  const holders = await store.listHolders(transaction, domain)
  return holders.find((one) => one.proof !== null && one.organizationId !== organizationId)
}

// The entry in the activity of the other organization names no person of this one.
async function withdraw(
  transaction: Database,
  { organizationId }: store.DomainHolder,
  domain: string,
): Promise<void> {
  await store.withdrawDomain(transaction, { organizationId, domain }, SYSTEM)
}

async function assertRecord(
  { resolveTxt }: DomainServices,
  domain: string,
  challenge: string,
): Promise<void> {
  const name = toRecordName(domain)
  const expected = toRecordText(challenge)
  const texts = await findTexts(resolveTxt, name)
  if (texts.some((text) => text.trim() === expected)) return
  const shown = texts
    .slice(0, TEXTS_SHOWN)
    .map((text) => `"${text.slice(0, TEXT_CHARACTERS_SHOWN)}"`)
    .join(', ')
  throw new ApiError(
    'invalid_state',
    texts.length === 0
      ? `${name} has no TXT record yet. Add one with the text "${expected}". Name servers may take an hour to show it.`
      : `${name} has other TXT records: ${shown}. Add one with the text "${expected}".`,
  )
}

async function findTexts(resolveTxt: Services['resolveTxt'], name: string): Promise<string[]> {
  try {
    return await resolveTxt(name)
  } catch (error) {
    if (!(error instanceof NameServerFailure)) throw error
    throw new ApiError('invalid_state', `${error.message} Check again in a few minutes.`)
  }
}

function newChallenge(): string {
  return randomBytes(20).toString('hex')
}
