/** Sign-ins with an identity provider whose answers a test decides: the lying issuer, connected to a world. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { ProviderAnswer } from '../server/people/providers/provider.ts'
import { addProvider } from './identity-providers.ts'
import { signToken, startLyingIssuer, type LyingIssuer } from './oidc/lying-issuer.ts'
import { newBrowser, type Browser } from './people.ts'
import { readJson } from './answers.ts'
import { uniqueId, type World } from './world.ts'

/** The address of Portbook in these tests: http between loopback addresses is allowed. */
export const LOOPBACK_URL = 'http://127.0.0.1:8080'

/** A started sign-in, as the provider sees it. */
export interface StartedSignIn {
  browser: Browser
  /** The parameters of the authorization request. */
  request: URLSearchParams
  /** The query with which the provider opens the callback page. */
  query: Record<string, string>
}

/** The answer of a finished sign-in. */
export interface FinishedAnswer {
  kind: string
  next: string
  session: { user: { id: string; email: string; name: string } } | null
  tried: Record<string, unknown> | null
}

/** Sign-ins with an issuer whose answers the test decides. */
export interface SignIns {
  issuer: LyingIssuer
  /** The claims of the next ID tokens, in addition to the required ones; undefined leaves one out. */
  claims: Record<string, unknown>
  /** The claims of the userinfo endpoint. */
  userInfo: Record<string, unknown>
  /** The token requests, as the issuer received them. */
  tokenRequests: URLSearchParams[]
  /** Starts a sign-in; with `claims`, its ID token has these. */
  start(
    browser?: Browser,
    body?: Record<string, unknown>,
    claims?: Record<string, unknown>,
  ): Promise<StartedSignIn>
  /** Starts at another endpoint: to link, to confirm, to try. */
  startAt(path: string, browser: Browser): Promise<StartedSignIn>
  /** Finishes a sign-in; `changes` are parameters of the answer, and the id of the provider. */
  finish(
    started: StartedSignIn,
    changes?: Record<string, string | readonly string[] | undefined>,
  ): Promise<Response>
  /** Signs a person in with these claims. */
  signIn(
    claims: Record<string, unknown>,
    options?: { browser?: Browser; body?: Record<string, unknown> },
  ): Promise<Response>
}

/** A provider that is connected to an organization. */
export interface Stage extends SignIns {
  world: World
  provider: ProviderAnswer
}

/** Returns the claims of a person who no other test has. */
export function newClaims(domain = 'velmora.example'): {
  sub: string
  email: string
  email_verified: boolean
  name: string
} {
  const id = uniqueId()
  return { sub: id, email: `${id}@${domain}`, email_verified: true, name: `Person ${id}` }
}

/** Connects a new lying issuer to the organization of a world. Close the issuer at the end. */
export async function newStage(world: World, settings: object = {}): Promise<Stage> {
  const issuer = await startLyingIssuer()
  const provider = await addProvider(world, { issuer: issuer.issuer, ...settings })
  return Object.assign(newSignIns(world, issuer, provider.id), { world, provider })
}

/** Lets an issuer answer the sign-ins of browsers of a product. */
export function newSignIns(
  product: Pick<World, 'call'>,
  issuer: LyingIssuer,
  providerId: string,
): SignIns {
  const { issuer: address } = issuer
  issuer.discovery = {
    ...(issuer.discovery as object),
    userinfo_endpoint: `${address}/userinfo`,
    authorization_response_iss_parameter_supported: true,
    scopes_supported: ['openid', 'email', 'profile', 'groups'],
  }
  const started = new Map<string, { nonce: string; claims: object | undefined }>()
  const stage: SignIns = {
    issuer,
    claims: {},
    userInfo: {},
    tokenRequests: [],
    async start(browser = newBrowser(product), body = {}, claims) {
      const form = { providerId, next: '/', ...body }
      const { url } = await readJson<{ url: string }>(
        browser.ask('POST', '/ui/sign-in/provider', form),
      )
      return toStarted(browser, url, claims)
    },
    async startAt(path, browser) {
      const form = { next: '/settings/profile' }
      const { url } = await readJson<{ url: string }>(browser.ask('POST', path, form))
      return toStarted(browser, url)
    },
    async finish({ browser, query }, changes = {}) {
      const { providerId: provider = providerId, ...others } = changes
      const sent = Object.entries({ ...query, ...others }).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one]),
      )
      const body = { providerId: provider, query: `?${new URLSearchParams(sent).toString()}` }
      return await browser.ask('POST', '/ui/sign-in/provider/finish', body)
    },
    async signIn(claims, { browser, body } = {}) {
      stage.claims = claims
      return await stage.finish(await stage.start(browser, body))
    },
  }

  function toStarted(browser: Browser, url: string, claims?: object): StartedSignIn {
    const { searchParams: request } = new URL(url)
    const code = `code-${uniqueId()}`
    started.set(code, { nonce: request.get('nonce') ?? '', claims })
    return { browser, request, query: { code, state: request.get('state') ?? '', iss: address } }
  }

  issuer.answers.set('/token', (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const form = new URLSearchParams(text)
      stage.tokenRequests.push(form)
      void answerTokens(form).then((body) => {
        response
          .writeHead('error' in body ? 400 : 200, { 'content-type': 'application/json' })
          .end(JSON.stringify(body))
      })
    })
  })
  const answerTokens = async (form: URLSearchParams): Promise<Record<string, unknown>> => {
    const code = form.get('code') ?? ''
    const begun = started.get(code)
    if (begun === undefined) return { error: 'invalid_grant' }
    const { nonce, claims = stage.claims } = begun
    // A code works once.
    started.delete(code)
    const now = Math.floor(Date.now() / 1000)
    const required = { iss: address, aud: 'portbook', iat: now, exp: now + 300, nonce }
    const idToken = signToken(issuer.key, { ...required, ...claims })
    return { access_token: `access-${code}`, token_type: 'Bearer', id_token: idToken }
  }
  issuer.answers.set('/userinfo', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ sub: stage.claims['sub'], ...stage.userInfo }))
  })
  return stage
}

/** Marks a mail domain as verified by an organization. */
export async function verifyDomain(world: World, domain: string): Promise<void> {
  await sql`
    insert into organization_domain (organization_id, domain, challenge, verified_at, proof, updated_by)
    values (${world.organizationId}, ${domain}, 'challenge', now(), 'dns', 'system')
    on conflict (organization_id, domain) do nothing
  `.execute(world.services.db)
}

/** Checks that a sign-in succeeded; returns its answer. */
export async function expectSignedIn(answer: Promise<Response>): Promise<FinishedAnswer> {
  const finished = await readJson<FinishedAnswer>(answer)
  assert.ok(finished.session !== null, JSON.stringify(finished))
  return finished
}
