import { startLyingIssuer } from '../test/oidc/lying-issuer.ts'
import { fetchProduct, newBrowser } from '../test/people.ts'
import { newClaims, newSignIns } from '../test/provider-sign-ins.ts'
import type { Row } from './figure.ts'
import { toSpread } from './rounds.ts'
import { readProcessorTime, startProduct, type RunningServer } from './servers.ts'
import { createBootstrapEnvironment, type ServerKind, type Stage } from './stage.ts'

/** Sign-ins in each round; few, because a client may try few passwords a minute. */
const SIGN_INS_COUNT = 5
const ROUNDS_COUNT = 6
/** The largest part of the processor time of a sign-in with a password. */
const FINISH_TIMES_MAX = 0.25
const PROVISIONED = { users: 10_000, groups: 500, membersEach: 20 }
const CONNECTIONS_COUNT = 8
const PROVISIONED_PER_SECOND_MIN = 300
const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0'

/** Measures the finish of a sign-in with a provider by the processor time of the server, without its wait for the provider. */
export async function* measureSignIns(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const issuer = await startLyingIssuer()
  const place = await stage.newPlace(kind)
  const environment = createBootstrapEnvironment(place.keyFile)
  const product = await startProduct({
    ...place.environment,
    ...environment,
    PORTBOOK_OIDC_ISSUER: issuer.issuer,
    PORTBOOK_OIDC_CLIENT_ID: 'portbook',
    PORTBOOK_OIDC_DOMAINS: 'velmora.example',
    PORTBOOK_OIDC_JOIN: 'everyone',
    PORTBOOK_IDENTITY_ALLOWED: '127.0.0.1',
  })
  try {
    const client = fetchProduct(product.url)
    const { providers } = (await readOk(newBrowser(client).ask('GET', '/ui/sign-in/options'))) as {
      providers: { id: string }[]
    }
    const signIns = newSignIns(client, issuer, providers[0]?.id ?? '')
    const email = environment['PORTBOOK_OWNER_EMAIL'] ?? ''
    const withPassword = async (): Promise<void> => {
      const credentials = { email, password: environment['PORTBOOK_OWNER_PASSWORD'] }
      await readOk(newBrowser(client).ask('POST', '/ui/sign-in', credentials))
    }
    const measure = async (work: readonly (() => Promise<unknown>)[]): Promise<number> => {
      const before = readProcessorTime(product.pid) ?? Number.NaN
      for (const one of work) await one()
      return ((readProcessorTime(product.pid) ?? Number.NaN) - before) / work.length / 1000
    }
    const people = Array.from({ length: SIGN_INS_COUNT }, () => newClaims())
    const begin = async (): Promise<(() => Promise<unknown>)[]> => {
      const started = people.map(async (claims) => await signIns.start(undefined, {}, claims))
      return (await Promise.all(started)).map(
        (one) => async () => await readOk(signIns.finish(one)),
      )
    }
    // Their first sign-in adds them.
    await measure(await begin())
    const rounds: { finishMs: number; passwordMs: number }[] = []
    for (let round = 0; round < ROUNDS_COUNT; round += 1) {
      const finishMs = await measure(await begin())
      const passwordMs = await measure([withPassword])
      rounds.push({ finishMs, passwordMs })
    }
    const [finish, password] = [
      toSpread(rounds.map((one) => one.finishMs)),
      toSpread(rounds.map((one) => one.passwordMs)),
    ]
    yield {
      figure: 'identity: finish of a sign-in with a provider',
      server: kind,
      subject: `${finish.median.toFixed(1)} ms of processor time`,
      limit: `${password.median.toFixed(1)} ms with a password`,
      result: toSpread(rounds.map((one) => one.finishMs / one.passwordMs)),
      unit: 'times',
      goal: FINISH_TIMES_MAX,
      measured: rounds,
    }
  } finally {
    await product.stop()
    await issuer.close()
  }
}

/** Measures how many requests a second provision users and groups, over some connections. */
export async function* measureProvisioning(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const place = await stage.newPlace(kind)
  const environment = createBootstrapEnvironment(place.keyFile)
  const product = await startProduct({ ...place.environment, ...environment })
  try {
    const owner = newBrowser(fetchProduct(product.url))
    const email = environment['PORTBOOK_OWNER_EMAIL'] ?? ''
    await readOk(
      owner.ask('POST', '/ui/sign-in', { email, password: environment['PORTBOOK_OWNER_PASSWORD'] }),
    )
    const { key } = (await readOk(owner.ask('POST', '/ui/directory/keys'))) as { key: string }
    const ids: string[] = []
    const startedAtMs = performance.now()
    await inParallel(PROVISIONED.users, async (at) => {
      const userName = `person-${at}@velmora.example`
      const emails = [{ value: userName, primary: true }]
      const user = { schemas: [`${SCHEMAS}:User`], userName, emails, active: true }
      ids[at] = (await sendScim(product, key, 'Users', user)).id
    })
    await inParallel(PROVISIONED.groups, async (at) => {
      const members = Array.from({ length: PROVISIONED.membersEach }, (_, member) => ({
        value: ids[(at * PROVISIONED.membersEach + member) % ids.length],
      }))
      const group = { schemas: [`${SCHEMAS}:Group`], displayName: `Group ${at}`, members }
      await sendScim(product, key, 'Groups', group)
    })
    const seconds = (performance.now() - startedAtMs) / 1000
    const perSecond = (PROVISIONED.users + PROVISIONED.groups) / seconds
    yield {
      figure: `identity: ${PROVISIONED.users.toLocaleString('en')} users and ${PROVISIONED.groups} groups`,
      server: kind,
      subject: `${perSecond.toFixed(0)} requests/s`,
      limit: `${PROVISIONED_PER_SECOND_MIN} requests/s`,
      result: toSpread([perSecond / PROVISIONED_PER_SECOND_MIN]),
      unit: 'ratio',
      goal: 1,
      measured: { perSecond, seconds },
    }
  } finally {
    await product.stop()
  }
}

async function inParallel(count: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0
  const connections = Array.from({ length: CONNECTIONS_COUNT }, async () => {
    while (next < count) {
      const at = next
      next += 1
      await work(at)
    }
  })
  await Promise.all(connections)
}

async function sendScim(
  { url }: RunningServer,
  key: string,
  kind: 'Users' | 'Groups',
  body: object,
): Promise<{ id: string }> {
  const answer = fetch(`${url}/api/scim/v2/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify(body),
  })
  return (await readOk(answer)) as { id: string }
}

async function readOk(answer: Promise<Response>): Promise<unknown> {
  const response = await answer
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
  return JSON.parse(text)
}
