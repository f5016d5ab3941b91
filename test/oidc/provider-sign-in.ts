/** A sign-in at a provider by a program of its own, without the product: for tests of tokens. */

import { createHash, randomBytes } from 'node:crypto'
import { newProviderBrowser, type ProviderBrowser } from './browser.ts'
import type { RunningProvider } from './provider.ts'

/** The tokens of a sign-in, and what its request contained. */
export interface ProviderTokens {
  idToken: string
  accessToken: string
  nonce: string
}

/** Signs a person in with the code flow and PKCE, and redeems the code with the first client. */
export async function signInAtProvider(
  { issuer, clients }: RunningProvider,
  login: string,
  browser: ProviderBrowser = newProviderBrowser(),
): Promise<ProviderTokens> {
  const [client] = clients
  const redirectUri = client?.redirect_uris[0]
  if (client === undefined || redirectUri === undefined) throw new Error('There is no client')
  const verifier = randomBytes(32).toString('base64url')
  const nonce = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: 'openid email profile groups',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    nonce,
  })
  const callback = await browser.signIn(`${issuer}/auth?${query.toString()}`, login)
  const code = callback.searchParams.get('code')
  if (code === null) throw new Error(`The provider redirected to ${callback.href}`)
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  })
  const tokens: unknown = await response.json()
  const { id_token: idToken, access_token: accessToken } = tokens as Record<string, string>
  if (!idToken || !accessToken) throw new Error(`No tokens: ${JSON.stringify(tokens)}`)
  return { idToken, accessToken, nonce }
}
