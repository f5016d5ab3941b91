import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type { Configuration, interactionPolicy } from 'oidc-provider'
import type { ProviderPackage } from './provider-package.ts'
import { newErrorPage } from './provider-page.ts'
import { PROVIDER_PEOPLE } from './provider-people.ts'

const SESSION_SECONDS = 60 * 60
const INTERACTION_SECONDS = 10 * 60
const SCOPES = ['openid', 'email', 'profile', 'groups']

const CLAIMS = {
  openid: ['sub', 'sid'],
  email: ['email', 'email_verified'],
  profile: ['name'],
  groups: ['groups'],
}

/** Portbook as a client of the provider of the demo. */
export interface DemoClient {
  id: string
  secret: string
  redirectAddress: string
}

/**
 * Creates the configuration of the provider of the demo: one client, the people of the demo, and no consent. Keys and
 * sessions are new for each start.
 */
export async function newConfiguration(
  oidc: ProviderPackage,
  client: DemoClient,
): Promise<Configuration> {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectAddress],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [await newSigningKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    pkce: { required: () => true },
    // The claims are in the ID token, as those of most providers.
    conformIdTokenClaims: false,
    scopes: SCOPES,
    claims: CLAIMS,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    interactions: { policy: newPolicy(oidc), url: (_context, { uid }) => `/people/${uid}` },
    findAccount: (_context, subject) => findAccount(subject),
    async loadExistingGrant({ oidc: { provider, session } }) {
      const { accountId } = session ?? {}
      const owner = { clientId: client.id, ...(accountId !== undefined && { accountId }) }
      const grant = new provider.Grant(owner)
      grant.addOIDCScope(SCOPES.join(' '))
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: SESSION_SECONDS,
      Grant: SESSION_SECONDS,
      IdToken: SESSION_SECONDS,
      Interaction: INTERACTION_SECONDS,
      Session: SESSION_SECONDS,
    },
    renderError(context, { error, error_description: description }) {
      const page = newErrorPage(description ?? error)
      context.set(page.headers)
      context.body = page.html
    },
  }
}

// Each sign-in asks again, so that a visitor can be another person.
function newPolicy({
  interactionPolicy: { base, Check },
}: ProviderPackage): interactionPolicy.DefaultPolicy {
  const policy = base()
  const always = new Check(
    'always',
    'A person must be chosen',
    'login_required',
    ({ oidc: { result } }) => result?.login === undefined,
  )
  policy.get('login')?.checks.add(always)
  return policy
}

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
}

function findAccount(subject: string) {
  const person = PROVIDER_PEOPLE.find((one) => one.subject === subject)
  if (person === undefined) return undefined
  const { name, email, groups } = person
  const claims = { sub: subject, name, email, email_verified: true, groups: [...groups] }
  return { accountId: subject, claims: () => claims }
}
