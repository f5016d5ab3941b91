import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../../platform/errors.ts'
import { isSecure, type IdentityProvider, type ProviderSettings } from './provider.ts'

// The rules of changes of providers, without the store.

/** The fields that identify the client at a provider: what is known of people depends on them. */
const IDENTITY_FIELDS = ['issuer', 'clientId', 'clientAuthentication'] as const

/** Returns whether settings name another client than a stored provider: other people, and another secret. */
export function hasOtherIdentity(
  settings: Pick<ProviderSettings, (typeof IDENTITY_FIELDS)[number]>,
  current: ProviderSettings,
): boolean {
  return IDENTITY_FIELDS.some((field) => settings[field] !== current[field])
}

/**
 * Returns whether the stored secret of a provider may be sent with some settings: only to the same client at the same
 * issuer, and only to servers that the same certificates prove.
 */
export function maySendSecret(settings: ProviderSettings, current: ProviderSettings): boolean {
  const isTrusted = settings.authority === null || settings.authority === current.authority
  return isTrusted && !hasOtherIdentity(settings, current)
}

/** Returns the problems of settings that their form does not show, beside the other providers of the organization. */
export function findProblems(
  baseUrl: string,
  settings: ProviderSettings,
  others: readonly IdentityProvider[],
): Violation[] {
  const problems: Violation[] = []
  if (!isSecure(new URL(settings.issuer), baseUrl)) {
    const message =
      'must begin with https. http is possible only if the provider and Portbook are both on this machine'
    problems.push({ field: 'issuer', message })
  }
  const key = settings.name.toLowerCase()
  if (others.some(({ name }) => name.toLowerCase() === key)) {
    problems.push({ field: 'name', message: 'is the name of another provider' })
  }
  const twin = others.find(
    ({ issuer, clientId }) => issuer === settings.issuer && clientId === settings.clientId,
  )
  if (twin !== undefined) {
    problems.push({ field: 'clientId', message: `is the client of the provider "${twin.name}"` })
  }
  return problems
}

/** Returns the problems of a client secret, which is absent if it stays as it is. */
export function findSecretProblems(
  settings: ProviderSettings,
  clientSecret: string | undefined,
  current: IdentityProvider,
): Violation[] {
  if (settings.clientAuthentication === 'none' || clientSecret !== undefined) return []
  if (current.secretSetAt !== null && maySendSecret(settings, current)) return []
  const message =
    current.secretSetAt === null
      ? 'is missing'
      : 'is needed again, because it would be sent to another client, issuer or certificate'
  return [{ field: 'clientSecret', message }]
}

/** Returns how the activity calls a change. */
export function findAction(
  settings: ProviderSettings,
  current: IdentityProvider,
  clientSecret: string | undefined,
): 'updated' | 'enabled' | 'disabled' {
  const { enabled, ...rest } = settings
  const isOnlyState =
    clientSecret === undefined &&
    enabled !== current.enabled &&
    isDeepStrictEqual({ ...current, ...rest }, current)
  if (!isOnlyState) return 'updated'
  return enabled ? 'enabled' : 'disabled'
}
