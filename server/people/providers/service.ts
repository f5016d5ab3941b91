import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { ApiError, notFound, type Violation } from '../../platform/errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import { openSealed, toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import { listDomains } from './domain-store.ts'
import { listFailures } from './failure-store.ts'
import * as links from './link-store.ts'
import * as rules from './provider-change.ts'
import type { NewProviderForm, ProviderForm } from './provider-form.ts'
import {
  PROVIDERS_MAX,
  toRedirectAddress,
  type IdentityProvider,
  type OpenedProvider,
  type ProviderAnswer,
  type ProvidersAnswer,
} from './provider.ts'
import * as store from './store.ts'

/** The services that change providers. */
type ProviderServices = Pick<Services, 'db' | 'clock' | 'secretBox' | 'baseUrl'>

const NOTHING_DEPENDS = { linkCount: 0, managedCount: 0, sessionCount: 0, lastSignInAt: null }

/**
 * Finds a provider of any organization by its id, with its client secret, whether it is enabled or not. Errors:
 * SecretUnreadable.
 */
export async function findOpenedProvider(
  { db, secretBox }: Pick<Services, 'db' | 'secretBox'>,
  id: string,
): Promise<OpenedProvider | undefined> {
  const found = isUuid(id) ? await store.findSealedProvider(db, id) : undefined
  if (found === undefined) return undefined
  const { provider, sealed } = found
  if (sealed === null) return { ...provider, secret: undefined }
  const place = [provider.organizationId, provider.id]
  const secret = openSealed(secretBox, 'identity_provider_secret', place, sealed)
  return { ...provider, secret }
}

/** Lists the providers of an organization with what depends on them, and the id that a new one may have. */
export async function listProviders(
  services: ProviderServices,
  { organizationId }: Caller,
): Promise<ProvidersAnswer> {
  const { baseUrl } = services
  const id = randomUUIDv7()
  return {
    providers: await loadAnswers(services, organizationId),
    max: PROVIDERS_MAX,
    draft: {
      id,
      redirectAddress: toRedirectAddress(baseUrl, id),
      proof: services.secretBox.seal('', toDraftContext(organizationId, id)).toString('base64url'),
    },
    signOutAddress: `${baseUrl}/sign-in`,
  }
}

/** Creates a provider. Errors: validation_failed, limit_reached. */
export async function createProvider(
  services: ProviderServices,
  caller: Caller,
  { form, requestId }: { form: NewProviderForm; requestId: string },
): Promise<ProviderAnswer> {
  const { db, clock, secretBox } = services
  const { organizationId, principal } = caller
  const { id: draftId, proof, clientSecret, ...settings } = form
  const id = draftId ?? randomUUIDv7()
  if (draftId !== undefined) assertDraft(services, organizationId, draftId, proof)
  const change = { organizationId, id, principal, requestId }
  await db.transaction().execute(async (transaction) => {
    await store.lockOrganization(transaction, organizationId)
    const others = await store.listProviders(transaction, organizationId)
    const needsSecret = settings.clientAuthentication !== 'none' && clientSecret === undefined
    assertValid([
      ...rules.findProblems(services.baseUrl, settings, others),
      ...(await findDomainProblems(transaction, organizationId, settings.domains)),
      ...(needsSecret ? [{ field: 'clientSecret', message: 'is missing' }] : []),
      ...(others.some((other) => other.id === id)
        ? [{ field: 'id', message: 'is taken. Reload the page' }]
        : []),
    ])
    if (others.length >= PROVIDERS_MAX) {
      throw new ApiError(
        'limit_reached',
        `The organization has ${PROVIDERS_MAX} identity providers. Delete one first.`,
      )
    }
    await store.insertProvider(transaction, clock, change, settings, 'page')
    if (clientSecret === undefined) return
    await store.upsertSecret(transaction, clock, change, seal(secretBox, change, clientSecret))
  })
  return await getAnswer(services, organizationId, id)
}

/**
 * Replaces a provider. A new issuer, client id or authentication needs the secret again, and removes the links of people
 * once their number is confirmed. Errors: not_found, precondition_failed, validation_failed, invalid_state,
 * confirmation_needed, sign_in_rule_needs_provider.
 */
export async function changeProvider(
  services: ProviderServices,
  caller: Caller,
  input: { id: string; form: ProviderForm; conditions: Conditions; requestId: string },
): Promise<ProviderAnswer> {
  const { db, clock, secretBox } = services
  const { organizationId, principal } = caller
  const { confirmedLinkCount, clientSecret, ...settings } = input.form
  const change = { organizationId, id: input.id, principal, requestId: input.requestId }
  await db.transaction().execute(async (transaction) => {
    const current = await lockEditable(transaction, change, input.conditions)
    const others = (await store.listProviders(transaction, organizationId)).filter(
      ({ id }) => id !== input.id,
    )
    const isOther = rules.hasOtherIdentity(settings, current)
    const newDomains = settings.domains.filter((domain) => !current.domains.includes(domain))
    assertValid([
      ...rules.findProblems(services.baseUrl, settings, others),
      ...(await findDomainProblems(transaction, organizationId, newDomains)),
      ...rules.findSecretProblems(settings, clientSecret, current),
    ])
    if (!settings.enabled && current.enabled) await assertNotLastOfRule(transaction, change)
    if (isOther) await dropLinks(transaction, change, confirmedLinkCount)
    const action = rules.findAction(settings, current, clientSecret)
    const version = { ...change, version: current.version }
    await store.updateProvider(transaction, clock, version, settings, action)
    if (settings.clientAuthentication === 'none') await store.deleteSecret(transaction, change)
    if (clientSecret === undefined) return
    await store.upsertSecret(transaction, clock, change, seal(secretBox, change, clientSecret))
  })
  return await getAnswer(services, organizationId, input.id)
}

/**
 * Deletes a provider with its links and sessions; accounts that it managed belong to their people again. Errors: not_found,
 * precondition_failed, invalid_state, confirmation_needed, sign_in_rule_needs_provider.
 */
export async function deleteProvider(
  { db }: ProviderServices,
  caller: Caller,
  input: { id: string; confirmedLinkCount: number; conditions: Conditions; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  const change = { organizationId, id: input.id, principal, requestId: input.requestId }
  await db.transaction().execute(async (transaction) => {
    await lockEditable(transaction, change, input.conditions)
    await assertNotLastOfRule(transaction, change)
    await dropLinks(transaction, change, input.confirmedLinkCount)
    await store.deleteProvider(transaction, change)
  })
}

async function lockEditable(
  transaction: Database,
  { organizationId, id }: store.ProviderChange,
  conditions: Conditions,
): Promise<IdentityProvider> {
  await store.lockOrganization(transaction, organizationId)
  const current = isUuid(id) ? await store.findProvider(transaction, organizationId, id) : undefined
  if (current === undefined) throw notFound()
  checkPreconditions(conditions, String(current.version))
  if (current.origin === 'environment') {
    throw new ApiError(
      'invalid_state',
      'This provider follows the settings of the server. The operator changes it there.',
    )
  }
  return current
}

async function assertNotLastOfRule(
  transaction: Database,
  { organizationId, id }: store.ProviderChange,
): Promise<void> {
  if (!(await links.isLastOfRule(transaction, organizationId, id))) return
  throw new ApiError(
    'sign_in_rule_needs_provider',
    'Members may sign in only with a provider, and this is the last one. Allow other ways to sign in first.',
  )
}

async function dropLinks(
  transaction: Database,
  change: store.ProviderChange,
  confirmedCount: number | undefined,
): Promise<void> {
  const linkCount = await links.countLinks(transaction, change.organizationId, change.id)
  if (linkCount !== (confirmedCount ?? 0)) {
    throw new ApiError(
      'confirmation_needed',
      `This removes the links of ${linkCount} ${linkCount === 1 ? 'person' : 'people'} to the provider. Confirm the number first.`,
      { extensions: { useCount: linkCount } },
    )
  }
  await links.deleteLinks(transaction, change)
}

async function findDomainProblems(
  db: Database,
  organizationId: string,
  domains: readonly string[],
): Promise<Violation[]> {
  if (domains.length === 0) return []
  const own = await listDomains(db, organizationId)
  const verified = new Set(own.filter((one) => one.verifiedAt !== null).map((one) => one.domain))
  const missing = domains.filter((domain) => !verified.has(domain))
  const message = `lists ${missing.join(', ')}, which the organization has not verified`
  return missing.length === 0 ? [] : [{ field: 'domains', message }]
}

/** Seals the secret of a provider. */
export function seal(
  secretBox: Services['secretBox'],
  { organizationId, id }: store.ProviderChange,
  secret: string,
): { sealed: Buffer; keyId: string } {
  const context = toSealContext('identity_provider_secret', [organizationId, id])
  return { sealed: secretBox.seal(secret, context), keyId: secretBox.keyId }
}

function assertValid(problems: readonly Violation[]): void {
  if (problems.length > 0) throw invalidRequest(problems)
}

// An id of a deleted provider of another organization may still be in the redirect addresses that are registered at that
// organization's provider. The proof shows that this server chose the id for this organization.
function assertDraft(
  { secretBox }: Pick<Services, 'secretBox'>,
  organizationId: string,
  id: string,
  proof = '',
): void {
  try {
    secretBox.open(Buffer.from(proof, 'base64url'), toDraftContext(organizationId, id))
  } catch {
    throw invalidRequest([
      { field: 'id', message: 'is not one that this server chose. Reload the page' },
    ])
  }
}

function toDraftContext(organizationId: string, id: string): string {
  return `identity-provider-draft/${organizationId}/${id}`
}

async function getAnswer(
  services: ProviderServices,
  organizationId: string,
  id: string,
): Promise<ProviderAnswer> {
  const answers = await loadAnswers(services, organizationId)
  const answer = answers.find((one) => one.id === id)
  if (answer === undefined) throw notFound()
  return answer
}

async function loadAnswers(
  { db, baseUrl }: ProviderServices,
  organizationId: string,
): Promise<ProviderAnswer[]> {
  const providers = await store.listProviders(db, organizationId)
  const uses = await links.listProviderUses(db, organizationId)
  const failures = await listFailures(db, organizationId)
  return providers.map((provider) => ({
    ...provider,
    ...(uses.get(provider.id) ?? NOTHING_DEPENDS),
    redirectAddress: toRedirectAddress(baseUrl, provider.id),
    signOutAddress: `${baseUrl}/sign-in`,
    logoutAddress: `${baseUrl}/oidc/back-channel-logout/${organizationId}/${provider.id}`,
    failures: failures.filter(({ providerId }) => providerId === provider.id),
  }))
}
