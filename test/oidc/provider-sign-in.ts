/** A sign-in at a provider by a program of its own, without the product: for tests of tokens. */

import { createHash, randomBytes } from 'node:crypto'
import { newProviderBrowser, type ProviderBrowser } from './browser.ts'
import type { ProviderClient, RunningProvider } from './provider.ts'

/** The tokens of a sign-in, and what its request contained. */
export interface ProviderTokens {
  idToken: string
  accessToken: string
  nonce: string
  /** The address to which the provider redirected. */
  callback: URL
}

/** An issuer with the client that signs people in. */
type ProviderAccess = Pick<RunningProvider, 'issuer'> & {
  clients: readonly Pick<ProviderClient, 'client_id' | 'client_secret' | 'redirect_uris'>[]
}

/** Signs a person in with the code flow and PKCE, and redeems the code with the first client. */
export async function signInAtProvider(
  { issuer, clients: [client] }: ProviderAccess,
  login: string,
  browser: ProviderBrowser = newProviderBrowser(),
): Promise<ProviderTokens> {
  const redirectUri = client?.redirect_uris[0]
  if (client === undefined || redirectUri === undefined) throw new Error('There is no client')
  const discovery = await readMembers(await fetch(`${issuer}/.well-known/openid-configuration`))
  const verifier = randomBytes(32).toString('base64url')
  const nonce = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: SCOPES.filter((scope) => discovery['scopes_supported']?.includes(scope)).join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    nonce,
  })
  const start = `${discovery['authorization_endpoint']}?${query.toString()}`
  const callback = await browser.signIn(start, login)
  const code = callback.searchParams.get('code')
  if (code === null) throw new Error(`The provider redirected to ${callback.href}`)
  const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
  const tokens = await readMembers(
    await fetch(discovery['token_endpoint'] ?? '', {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    }),
  )
  const { id_token: idToken, access_token: accessToken } = tokens
  if (!idToken || !accessToken) throw new Error(`No tokens: ${JSON.stringify(tokens)}`)
  return { idToken, accessToken, nonce, callback }
}

const SCOPES = ['openid', 'email', 'profile', 'groups']

async function readMembers(response: Response): Promise<Record<string, string>> {
  return (await response.json()) as Record<string, string>
}
