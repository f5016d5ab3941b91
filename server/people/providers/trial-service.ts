import * as oauth from 'oauth4webapi'
import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { notFound } from '../../platform/errors.ts'
import { DialRefused } from '../../platform/kit/dialer.ts'
import { findNetworkSentence } from '../../platform/kit/network-error.ts'
import { TOKEN_ALGORITHMS } from '../../platform/kit/token-verifier.ts'
import { maySendSecret } from './provider-change.ts'
import {
  findEndpointProblem,
  getRequestOptions,
  ProviderFailure,
  readMetadata,
  toClient,
  type ProviderConnection,
  type ProviderFailureReason,
  type ProviderRequestOptions,
} from './provider-client.ts'
import { limitTrials } from './provider-services.ts'
import { isSecure, toRedirectAddress, type OpenedProvider } from './provider.ts'
import { findOpenedProvider } from './service.ts'
import { findKeyProblem } from './trial-keys.ts'
import {
  find,
  pass,
  REMEDIES,
  TRIAL_STEPS,
  type TrialFinding,
  type TrialForm,
  type TrialStep,
} from './trial.ts'

/** The services that test a provider. */
type TrialServices = Pick<Services, 'db' | 'secretBox' | 'identityDialer' | 'baseUrl' | 'trialRate'>

/** The settings to test, and why their secret cannot be sent; undefined = it can. */
interface Trial {
  connection: ProviderConnection
  secretObstacle: string | undefined
  redirectAddress: string
}

const LOOKUP_MS_MAX = 5000
const SHOWN_CHARACTERS_MAX = 300

/** The step that a failure of discovery belongs to. */
const STEP_OF_REASON: Readonly<Partial<Record<ProviderFailureReason, TrialStep>>> = {
  insecure: 'address',
  refused: 'address',
  unreachable: 'host',
  timeout: 'host',
  certificate: 'certificate',
  issuer: 'issuer',
}

/** A step that failed, with its sentence. */
class StepFailure extends Error {
  override readonly name = 'StepFailure'
  readonly step: TrialStep
  readonly remedy: string

  constructor(step: TrialStep, message: string, remedy?: string) {
    super(message)
    this.step = step
    this.remedy = remedy ?? REMEDIES[step]
  }
}

/**
 * Tests a draft or a stored provider. The stored secret is sent only with the stored issuer, client and certificates.
 * Returns a finding for each step. Errors: not_found, too_many_requests, SecretUnreadable.
 */
export async function testProvider(
  services: TrialServices,
  { organizationId }: Caller,
  form: TrialForm,
): Promise<{ findings: TrialFinding[]; redirectAddress: string }> {
  limitTrials(services, organizationId)
  const found = await findOpenedProvider(services, form.id)
  const stored = found?.organizationId === organizationId ? found : undefined
  const trial = {
    ...selectConnection(stored, form),
    redirectAddress: toRedirectAddress(services.baseUrl, form.id),
  }
  const findings: TrialFinding[] = []
  try {
    for await (const finding of runSteps(services, trial)) findings.push(finding)
  } catch (error) {
    findings.push(toFinding(error, trial.connection.issuer, findings))
  }
  return { findings: complete(findings, trial), redirectAddress: trial.redirectAddress }
}

function selectConnection(
  stored: OpenedProvider | undefined,
  { connection }: TrialForm,
): Omit<Trial, 'redirectAddress'> {
  if (connection === undefined) {
    if (stored === undefined) throw notFound()
    return { connection: stored, secretObstacle: undefined }
  }
  const { clientSecret, ...settings } = connection
  const draft = { ...settings, secret: clientSecret }
  if (clientSecret !== undefined || settings.clientAuthentication === 'none') {
    return { connection: draft, secretObstacle: undefined }
  }
  if (stored?.secret === undefined) {
    return { connection: draft, secretObstacle: 'Enter the client secret to check it.' }
  }
  if (maySendSecret({ ...stored, ...settings }, stored)) {
    return { connection: { ...draft, secret: stored.secret }, secretObstacle: undefined }
  }
  const secretObstacle =
    'The stored secret is not sent to another issuer, client or certificate. Enter the client secret again to check it.'
  return { connection: draft, secretObstacle }
}

async function* runSteps(
  services: TrialServices,
  trial: Trial,
): AsyncGenerator<TrialFinding, void, undefined> {
  const { connection } = trial
  const { issuer } = connection
  const url = new URL(issuer)
  await assertAddress(services, url)
  yield pass('address', `Portbook may connect to ${url.host}.`)
  const options = getRequestOptions(services, connection)
  const server = await readMetadata(issuer, options)
  yield pass('host', `${url.host} answers.`)
  yield pass(
    'certificate',
    url.protocol === 'https:'
      ? `The certificate of ${url.host} is trusted.`
      : 'Not needed on the same machine.',
  )
  yield pass('discovery', 'The discovery document was read.')
  yield pass('issuer', `The provider names itself "${issuer}".`)
  const problem = findEndpointProblem(server, services.baseUrl)
  if (problem !== undefined) throw new StepFailure('endpoints', problem)
  yield pass('endpoints', 'All endpoints begin with https.')
  yield checkCode(server)
  yield pass('keys', await checkKeys(server, options))
  yield await checkSecret(server, trial, options)
}

async function assertAddress({ identityDialer, baseUrl }: TrialServices, url: URL): Promise<void> {
  if (!isSecure(url, baseUrl)) {
    throw new StepFailure('address', `${url.origin} does not begin with https.`)
  }
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  try {
    await identityDialer.check(url.hostname, port, AbortSignal.timeout(LOOKUP_MS_MAX))
  } catch (error) {
    if (error instanceof DialRefused) throw new StepFailure('address', `${error.message}.`)
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const sentence = findNetworkSentence(code)?.(url.host)
    throw new StepFailure(
      'host',
      sentence ?? `The host name of ${url.host} was not resolved in time.`,
    )
  }
}

function checkCode(server: oauth.AuthorizationServer): TrialFinding {
  const types: unknown = server.response_types_supported
  if (Array.isArray(types) && !types.includes('code')) {
    throw new StepFailure('code', 'The provider does not announce the response type "code".')
  }
  const methods: unknown = server.code_challenge_methods_supported
  // Entra ID supports PKCE without announcing it.
  if (!Array.isArray(methods)) {
    return pass(
      'code',
      'The authorization code flow is offered. Portbook always adds PKCE with S256.',
    )
  }
  if (!methods.includes('S256')) {
    throw new StepFailure('code', 'The provider announces PKCE without the method S256.')
  }
  return pass('code', 'The authorization code flow with PKCE (S256) is offered.')
}

async function checkKeys(
  server: oauth.AuthorizationServer,
  options: ProviderRequestOptions,
): Promise<string> {
  const announced: unknown = server.id_token_signing_alg_values_supported
  if (Array.isArray(announced) && !announced.some((name) => TOKEN_ALGORITHMS.includes(name))) {
    const names = announced.map(String).join(', ').slice(0, SHOWN_CHARACTERS_MAX)
    throw new StepFailure(
      'keys',
      `ID tokens are signed with ${names}, which Portbook does not accept.`,
    )
  }
  const address = String(server.jwks_uri)
  try {
    const request = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
    const response = await options[oauth.customFetch](address, request)
    const problem = findKeyProblem(response.status, await response.text())
    if (problem !== undefined) throw new StepFailure('keys', `${address} ${problem}.`)
  } catch (error) {
    throw error instanceof ProviderFailure ? new StepFailure('keys', error.message) : error
  }
  return 'The provider publishes a key that can verify its ID tokens.'
}

/** The names of the ways to authenticate, in metadata and on the page. */
const AUTHENTICATION_NAMES = {
  basic: ['client_secret_basic', 'in the header (Basic)'],
  post: ['client_secret_post', 'in the form (POST)'],
} as const

async function checkSecret(
  server: oauth.AuthorizationServer,
  { connection, secretObstacle, redirectAddress }: Trial,
  options: ProviderRequestOptions,
): Promise<TrialFinding> {
  if (secretObstacle !== undefined) return find('secret', 'skipped', secretObstacle)
  const { clientAuthentication } = connection
  if (clientAuthentication === 'none') return pass('secret', 'The client has no secret.')
  const methods: unknown = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const [method, name] = AUTHENTICATION_NAMES[clientAuthentication]
  if (Array.isArray(methods) && !methods.includes(method)) {
    const [other] = Object.values(AUTHENTICATION_NAMES).filter(([one]) => methods.includes(one))
    throw new StepFailure(
      'secret',
      `The provider does not accept the client secret ${name}.`,
      other === undefined
        ? 'Allow a client secret for this application at the provider, or choose a client without a secret.'
        : `Choose the authentication ${other[1]}.`,
    )
  }
  const { client, authentication } = toClient(connection)
  const parameters = {
    code: 'probe',
    redirect_uri: redirectAddress,
    code_verifier: 'probe'.repeat(9),
  }
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      client,
      authentication,
      'authorization_code',
      parameters,
      options,
    )
    return readProbe(response.status, await response.text(), connection.secret)
  } catch (error) {
    throw error instanceof ProviderFailure ? new StepFailure('secret', error.message) : error
  }
}

/** Reads the answer to a token request with an invalid code (RFC 6749, 5.2). */
function readProbe(status: number, text: string, secret = ''): TrialFinding {
  const error = /"error"\s*:\s*"([\w.-]{1,80})"/.exec(text)?.[1]
  if (error === 'invalid_grant') return pass('secret', 'The client id and the secret are right.')
  if (error === 'invalid_client' || (error === undefined && status === 401)) {
    throw new StepFailure('secret', 'The provider refused the client id or the client secret.')
  }
  if (error === 'unauthorized_client') {
    throw new StepFailure(
      'secret',
      'The client may not use the authorization code flow.',
      REMEDIES.code,
    )
  }
  const description = /"error_description"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? ''
  const shown = secret !== '' && description.includes(secret) ? '' : description
  return {
    ...find(
      'secret',
      'unsure',
      `The provider answered the token request with ${error ?? `the status ${status}`}${shown === '' ? '' : `: ${shown}`}.`,
    ),
    remedy: 'This proves nothing about the secret. Try a sign-in.',
  }
}

function toFinding(
  error: unknown,
  issuer: string,
  findings: readonly TrialFinding[],
): TrialFinding {
  if (error instanceof StepFailure) {
    return { step: error.step, state: 'failed', sentence: error.message, remedy: error.remedy }
  }
  if (!(error instanceof ProviderFailure)) throw error
  const step = STEP_OF_REASON[error.reason] ?? 'discovery'
  // An address that was allowed and is refused now has changed in between.
  const isLate = findings.some((finding) => finding.step === step)
  const shownStep = isLate ? 'host' : step
  const remedy =
    shownStep === 'issuer' ? adviseOnIssuer(error.issuerThere, issuer) : REMEDIES[shownStep]
  return { step: shownStep, state: 'failed', sentence: error.message, remedy }
}

function adviseOnIssuer(there = '', here: string): string {
  return there.replace(/\/$/, '') === here.replace(/\/$/, '')
    ? `They differ only in the slash at the end. Enter "${there}".`
    : `Enter "${there}" if this is your provider.`
}

/** Returns the findings of all steps in their order: a step before a failure passed, one after it was not tried. */
function complete(findings: readonly TrialFinding[], { redirectAddress }: Trial): TrialFinding[] {
  const failedAt = TRIAL_STEPS.findIndex((step) =>
    findings.some((finding) => finding.step === step && finding.state === 'failed'),
  )
  return TRIAL_STEPS.map((step, index) => {
    const finding = findings.findLast((one) => one.step === step)
    if (step === 'redirect') {
      const sentence = `The provider must return to ${redirectAddress}, which only a sign-in can check.`
      return {
        ...find(step, 'skipped', sentence),
        remedy: REMEDIES.redirect,
      }
    }
    if (finding !== undefined) return finding
    return index < failedAt
      ? pass(step, 'Passed.')
      : find(step, 'skipped', 'Not tried, because an earlier step failed.')
  })
}
