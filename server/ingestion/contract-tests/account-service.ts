import { isDeepStrictEqual } from 'node:util'
import { CONNECTORS } from '../../connectors/connectors.ts'
import type { Description } from '../../connectors/description.ts'
import { notFound } from '../../platform/errors.ts'
import type { Instant } from '../../platform/kit/clock.ts'
import { toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { configurationParts, type Integration } from '../integrations/integration.ts'
import { findOffer, requireOffer } from '../integrations/offer-service.ts'
import {
  findVisibleIntegration,
  lockIntegration,
  requireEditable,
} from '../integrations/service.ts'
import * as store from './account-store.ts'

/** The account for tests of an integration, as its page shows it. */
interface TestAccount {
  /** Whether tables of this source can be tested. */
  isOffered: boolean
  /** The product behind the connection. */
  product: string
  /** The privileges that the account needs. */
  right: string | null
  userName: string | null
  enabled: boolean
  isForAllTeams: boolean
  /** Whether the password must be entered, because there is none for this destination. */
  needsPassword: boolean
  updatedAt: Instant | null
  mayEdit: boolean
}

// The account and its certificate are those that read metadata.
const OF_FIRST_ACCOUNT = new Set(['user', 'clientCertificate'])

/** Returns the fields of a configuration that decide where a password is sent, with their defaults. */
export function getDestination(
  { connectionFields, configuration: shape }: Description,
  stored: unknown,
): Record<string, unknown> {
  const { configuration } = configurationParts(stored)
  const parsed = shape.safeParse(configuration)
  const values: Record<string, unknown> = parsed.success ? parsed.data : configuration
  const names = connectionFields.filter((name) => !OF_FIRST_ACCOUNT.has(name))
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
}

/** Returns the account for tests of an integration that the caller may see. Errors: not_found. */
export async function describeAccount(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<TestAccount> {
  const integration = await findVisibleIntegration(db, caller, externalId)
  const { organizationId } = caller
  const account = await store.findAccount(db, { organizationId, integrationId: integration.id })
  const { rules, product } = await findOffer(db, organizationId, integration, 'measures')
  const description = CONNECTORS.get(integration.source)?.description
  const isSame =
    account !== undefined &&
    description !== undefined &&
    isDeepStrictEqual(account.destination, getDestination(description, integration.configuration))
  return {
    isOffered: rules !== undefined,
    product,
    right: rules?.right ?? null,
    userName: account?.userName ?? null,
    enabled: account?.enabled ?? false,
    isForAllTeams: account?.isForAllTeams ?? false,
    needsPassword: !isSame,
    updatedAt: account?.updatedAt ?? null,
    mayEdit: may(caller, 'INGESTION_EDIT', integration.ownerTeam ?? undefined),
  }
}

/** An account as a person enters it. */
interface NewAccount {
  userName: string
  /** Undefined = the stored one stays. */
  password: string | undefined
  enabled: boolean
  isForAllTeams: boolean
}

/**
 * Stores the account for tests of an integration. A stored password is never sent to another destination, nor for another user.
 * Errors: not_found, permission_missing, validation_failed, invalid_state.
 */
export async function changeAccount(
  { db, clock, secretBox }: Pick<Services, 'db' | 'clock' | 'secretBox'>,
  caller: Caller,
  { externalId, requestId }: { externalId: string; requestId: string },
  account: NewAccount,
): Promise<void> {
  const { organizationId, principal } = caller
  await db.transaction().execute(async (transaction) => {
    const integration = await lockIntegration(
      transaction,
      organizationId,
      externalId,
      'against changes',
    )
    requireEditable(caller, integration)
    await requireOffer(transaction, organizationId, integration, 'measures')
    const destination = findDestination(integration)
    requireSecondAccount(integration, account)
    const key = { organizationId, integrationId: integration.id }
    const before = await store.findAccount(transaction, key)
    const isSame =
      before?.userName === account.userName && isDeepStrictEqual(before.destination, destination)
    const { password, userName, enabled, isForAllTeams } = account
    if (password === undefined && !isSame) {
      throw invalidRequest([{ field: 'password', message: describeMissing(before) }])
    }
    const place = toSealContext('test_account', [organizationId, integration.id])
    const secret =
      password === undefined
        ? undefined
        : { sealed: secretBox.seal(password, place), keyId: secretBox.keyId }
    const write = { ...key, principal, requestId, userName, enabled, isForAllTeams, destination }
    await store.upsertAccount(transaction, clock, { ...write, secret })
  })
}

function describeMissing(before: store.TestAccountRow | undefined): string {
  return before === undefined
    ? 'must be set'
    : 'must be entered again, because the user or the destination changed'
}

function findDestination({ source, configuration }: Integration): Record<string, unknown> {
  const description = CONNECTORS.get(source)?.description
  return description === undefined ? {} : getDestination(description, configuration)
}

// One account reads definitions of everything, the other one counts in some tables.
function requireSecondAccount(
  { configuration, ownerTeam }: Integration,
  { userName, isForAllTeams }: NewAccount,
): void {
  if (configurationParts(configuration).configuration['user'] === userName) {
    const message = 'must be another account than the one that reads the source'
    throw invalidRequest([{ field: 'userName', message }])
  }
  if (ownerTeam === null && !isForAllTeams) {
    const message = 'must be true, because no team owns the integration'
    throw invalidRequest([{ field: 'isForAllTeams', message }])
  }
}

/** Deletes the account for tests of an integration. Errors: not_found, permission_missing. */
export async function removeAccount(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  { externalId, requestId }: { externalId: string; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  await db.transaction().execute(async (transaction) => {
    const integration = await lockIntegration(
      transaction,
      organizationId,
      externalId,
      'against changes',
    )
    requireEditable(caller, integration)
    const key = { organizationId, integrationId: integration.id }
    if (!(await store.deleteAccount(transaction, clock, { ...key, principal, requestId }))) {
      throw notFound()
    }
  })
}
