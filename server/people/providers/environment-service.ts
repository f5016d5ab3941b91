import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { newTable } from '../../../formats/name/table.ts'
import type { OidcSettings } from '../../platform/oidc-settings.ts'
import { SYSTEM } from '../../ledger/activity/entry.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import { verifyByOperator } from './domain-service.ts'
import { listHolders, listOrganizations } from './domain-store.ts'
import { deleteLinks } from './link-store.ts'
import { hasOtherIdentity } from './provider-change.ts'
import { providerForm } from './provider-form.ts'
import { isSecure, PROVIDERS_MAX, toRedirectAddress, type ProviderSettings } from './provider.ts'
import { findOpenedProvider, seal } from './service.ts'
import * as store from './store.ts'

/** The services that apply the settings of the server. */
type EnvironmentServices = Pick<Services, 'db' | 'clock' | 'secretBox' | 'baseUrl' | 'log'>

/** The provider in the settings of the server, after its checks. */
interface EnvironmentProvider {
  settings: ProviderSettings
  secret: string | undefined
  /** The address of its organization; undefined = the only one. */
  organization: string | undefined
}

/** The settings of the server by the fields that they set. */
const NAMES = newTable<string>({
  name: 'PORTBOOK_OIDC_NAME',
  issuer: 'PORTBOOK_OIDC_ISSUER',
  clientId: 'PORTBOOK_OIDC_CLIENT_ID',
  clientSecret: 'PORTBOOK_OIDC_CLIENT_SECRET',
  subjectClaim: 'PORTBOOK_OIDC_SUBJECT_CLAIM',
  emailTrust: 'PORTBOOK_OIDC_EMAIL_TRUST',
  domains: 'PORTBOOK_OIDC_DOMAINS',
  joinRule: 'PORTBOOK_OIDC_JOIN',
  groupsClaim: 'PORTBOOK_OIDC_GROUPS_CLAIM',
})

/** Checks the provider in the settings of the server; undefined = there is none. Adds its problems to `problems`. */
export function parseEnvironmentProvider(
  oidc: OidcSettings | undefined,
  problems: string[] = [],
): EnvironmentProvider | undefined {
  if (oidc === undefined) return undefined
  const { clientSecret, organization, ...given } = oidc
  const read = providerForm.safeParse({
    ...given,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    clientAuthentication: clientSecret === undefined ? 'none' : 'basic',
    sessionHours: 12,
    signsOut: false,
    authority: null,
    enabled: true,
  })
  if (!read.success) {
    for (const { path, message } of read.error.issues) {
      problems.push(`${NAMES[String(path[0])] ?? String(path[0])} ${message}`)
    }
    return undefined
  }
  const { clientSecret: secret, confirmedLinkCount: _, ...settings } = read.data
  return { settings, secret, organization }
}

/**
 * Applies the provider in the settings of the server at the start of a process: inserts or updates its row, and disables
 * rows of former settings. Equal settings write nothing, so that any number of processes may start at once; with different
 * settings, the process that started last decides. Problems are logged, and never prevent a start.
 */
export async function applyEnvironmentProvider(
  services: EnvironmentServices,
  provider: EnvironmentProvider | undefined,
): Promise<void> {
  const { db, log } = services
  try {
    const organizationId =
      provider === undefined ? undefined : await findOrganization(services, provider)
    // A wrong organization changes nothing.
    if (provider !== undefined && organizationId === undefined) return
    for (const row of await store.listEnvironmentProviders(db)) {
      if (row.organizationId !== organizationId) await disable(services, row)
    }
    if (provider === undefined || organizationId === undefined) return
    await db
      .transaction()
      .execute((transaction) => apply(services, transaction, provider, organizationId))
  } catch (error) {
    log.error({ err: error }, 'the identity provider of the settings was not applied')
  }
}

async function findOrganization(
  { db, log }: EnvironmentServices,
  { organization }: EnvironmentProvider,
): Promise<string | undefined> {
  const [first, ...others] = await listOrganizations(db, organization)
  if (first !== undefined && others.length === 0) return first.organizationId
  // A second organization must not end the sign-in of the first one.
  const [row] = organization === undefined ? await store.listEnvironmentProviders(db) : []
  if (row !== undefined) return row.organizationId
  log.error(
    { organization },
    first === undefined
      ? 'the identity provider of the settings has no organization: create it and restart Portbook'
      : 'PORTBOOK_OIDC_ORGANIZATION is needed, because there are several organizations',
  )
  return undefined
}

async function disable(
  { db, clock }: EnvironmentServices,
  { organizationId, id }: store.EnvironmentRow,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await store.lockOrganization(transaction, organizationId)
    const row = await store.findProvider(transaction, organizationId, id)
    if (row === undefined || !row.enabled) return
    const change = { organizationId, id, ...SYSTEM, version: row.version }
    await store.updateProvider(transaction, clock, change, { ...row, enabled: false }, 'disabled')
  })
}

async function apply(
  services: EnvironmentServices,
  transaction: Database,
  { settings, secret }: EnvironmentProvider,
  organizationId: string,
): Promise<void> {
  const { clock, secretBox, baseUrl, log } = services
  await store.lockOrganization(transaction, organizationId)
  if (!isSecure(new URL(settings.issuer), baseUrl)) {
    log.error(
      'PORTBOOK_OIDC_ISSUER must begin with https: http is possible only on the same machine',
    )
    return
  }
  await verifyDomains(services, transaction, organizationId, settings.domains)
  const all = await store.listProviders(transaction, organizationId)
  const current = all.find(({ origin }) => origin === 'environment')
  if (current === undefined && all.length >= PROVIDERS_MAX) {
    log.error(`the organization has ${PROVIDERS_MAX} identity providers: delete one and restart`)
    return
  }
  const id = current?.id ?? randomUUIDv7()
  const change = { organizationId, id, ...SYSTEM }
  const opened = await findOpenedProvider({ db: transaction, secretBox }, id)
  if (current === undefined) {
    await store.insertProvider(transaction, clock, change, settings, 'environment')
    log.info(
      { redirectAddress: toRedirectAddress(baseUrl, id) },
      'the identity provider of the settings was added: register its redirect address there',
    )
  } else if (!isDeepStrictEqual({ ...current, ...settings }, current)) {
    if (hasOtherIdentity(settings, current)) {
      const linkCount = await deleteLinks(transaction, change)
      if (linkCount > 0)
        log.warn({ linkCount }, 'the settings name another client: links of people were removed')
    }
    const action = current.enabled === settings.enabled ? 'updated' : 'enabled'
    const version = { ...change, version: current.version }
    await store.updateProvider(transaction, clock, version, settings, action)
  }
  if (secret === opened?.secret) return
  if (secret === undefined) await store.deleteSecret(transaction, change)
  else await store.upsertSecret(transaction, clock, change, seal(secretBox, change, secret))
}

// The operator's word is the proof, but does not take a domain that another organization has proved.
async function verifyDomains(
  { clock, log }: EnvironmentServices,
  transaction: Database,
  organizationId: string,
  domains: readonly string[],
): Promise<void> {
  for (const domain of domains) {
    const holders = await listHolders(transaction, domain)
    const own = holders.find((holder) => holder.organizationId === organizationId)
    if (own?.proof === 'operator' || own?.proof === 'dns') continue
    const isTaken = holders.some(({ proof }) => proof === 'operator' || proof === 'dns')
    if (isTaken) log.error({ domain }, 'another organization has proved a domain of the settings')
    else await verifyByOperator(transaction, clock, { organizationId, domain })
  }
}
