import { SYSTEM } from '../ledger/activity/entry.ts'
import { changeProvider, findOpenedProvider, listProviders } from '../people/providers/service.ts'
import {
  toRedirectAddress,
  type OpenedProvider,
  type ProviderSettings,
} from '../people/providers/provider.ts'
import { isLoopbackHost } from '../platform/kit/address.ts'
import type { Log } from '../platform/kit/log.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { loadPackage } from './provider-package.ts'
import {
  ABOUT_PATH,
  listenOnLoopback,
  serveProvider,
  toIssuer,
  type ProviderServer,
} from './provider-server.ts'
import { disableProviders, findProviderId } from './provider-store.ts'
import { newOwnerCaller } from './register.ts'

/** The services that the provider of the demo needs. */
type DemoServices = Pick<
  Services,
  'db' | 'clock' | 'secretBox' | 'baseUrl' | 'log' | 'installation' | 'authenticator'
>

const ABOUT_TIMEOUT_MS = 2000

/**
 * Starts the provider that the load of the demo has connected, on its former port if that is free. Returns undefined,
 * and logs the reason, if this process does not serve it: another process does, or the demo has none. Nothing is
 * started, and the provider is disabled, unless this process serves the demo to this machine only.
 */
export async function startDemoProvider(
  services: DemoServices,
): Promise<Pick<ProviderServer, 'close'> | undefined> {
  const { db, log } = services
  const id = await findProviderId(db)
  if (id === undefined) return undefined
  const oidc = canHaveProvider(services) ? await loadPackage() : undefined
  if (oidc === undefined) {
    await disableProviders(db, SYSTEM)
    return undefined
  }
  const stored = await findOpenedProvider(services, id)
  if (stored?.secret === undefined) return undefined
  const listening = await listenFor(stored, log)
  if (listening === undefined) return undefined
  const issuer = toIssuer(listening.port)
  const isPaused = !stored.enabled && stored.updatedBy === SYSTEM.principal
  if (issuer !== stored.issuer || isPaused) {
    await changeSettings(services, stored, { issuer, enabled: stored.enabled || isPaused })
  }
  const client = {
    id: stored.clientId,
    secret: stored.secret,
    redirectAddress: toRedirectAddress(services.baseUrl, id),
  }
  const server = await serveProvider(oidc, listening, client, log)
  log.info({ issuer }, 'the demo has a sign-in provider, on this machine only')
  return server
}

/** Returns whether a process can serve a provider: it serves the demo, at an address of this machine. */
export function canHaveProvider({
  installation,
  baseUrl,
}: Pick<Services, 'installation' | 'baseUrl'>): boolean {
  return installation.isDemo && isLoopbackHost(new URL(baseUrl).hostname)
}

/** Listens on the port of the issuer, or another one if it is busy; undefined = another process serves this provider. */
async function listenFor({ issuer, clientId }: OpenedProvider, log: Log) {
  const { port } = new URL(issuer)
  const listening = await listenOnLoopback(Number(port))
  if (listening !== undefined) return listening
  if (await servesClient(issuer, clientId)) {
    log.info({ issuer }, 'another process serves the sign-in provider of the demo')
    return undefined
  }
  return await listenOnLoopback(0)
}

async function servesClient(issuer: string, clientId: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(ABOUT_TIMEOUT_MS)
    const answer = await fetch(`${issuer}${ABOUT_PATH}`, { redirect: 'error', signal })
    return (await answer.text()) === clientId
  } catch {
    return false
  }
}

async function changeSettings(
  services: DemoServices,
  stored: OpenedProvider,
  changes: { issuer: string; enabled: boolean },
): Promise<void> {
  const { organizationId, id, secret } = stored
  const caller = newOwnerCaller(organizationId, SYSTEM.principal)
  const { providers } = await listProviders(services, caller)
  // A new issuer needs the secret again and removes the links; people link again by their verified address.
  const moved = {
    clientSecret: secret,
    confirmedLinkCount: providers.find((one) => one.id === id)?.linkCount ?? 0,
  }
  await changeProvider(services, caller, {
    id,
    form: { ...toSettings(stored), ...changes, ...(changes.issuer !== stored.issuer && moved) },
    requestId: '',
    conditions: { ifMatch: undefined, ifNoneMatch: undefined },
  })
}

function toSettings(stored: OpenedProvider): ProviderSettings {
  return {
    name: stored.name,
    issuer: stored.issuer,
    clientId: stored.clientId,
    clientAuthentication: stored.clientAuthentication,
    subjectClaim: stored.subjectClaim,
    emailTrust: stored.emailTrust,
    domains: stored.domains,
    joinRule: stored.joinRule,
    groupsClaim: stored.groupsClaim,
    sessionHours: stored.sessionHours,
    signsOut: stored.signsOut,
    authority: stored.authority,
    enabled: stored.enabled,
  }
}
