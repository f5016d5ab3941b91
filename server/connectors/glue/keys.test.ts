import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignatureValid, parseAuthorization } from '../../../test/warehouses/glue/signature.ts'
import {
  listComplete,
  newTable,
  startGlueSource,
  type Given,
  type GlueSource,
} from '../../../test/warehouses/glue/source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import type { FailureKind } from '../connector.ts'
import { getEndpoint, glueConfiguration, writePolicyStatement } from './configuration.ts'
import { glue } from './connector.ts'

const ROLE = 'arn:aws:iam::123456789012:role/portbook'
const WITH_ROLE = { authentication: 'role', roleArn: ROLE }

/** Asserts that a reading fails without a secret in its messages, causes, log and statements. */
async function assertFails(
  source: GlueSource,
  given: Given,
  message: RegExp,
  kind: FailureKind = 'auth',
): Promise<void> {
  const statements: string[] = []
  const sent = (statement: string) => void statements.push(statement)
  const failure = await catchFailure(source.read({ ...given, sent }))
  assert.equal(failure.kind, kind, failure.message)
  assert.match(failure.message, message)
  const { cause } = failure
  const causes = cause instanceof Error ? `${cause.message}${String(cause.cause)}` : ''
  const texts = [failure.message, causes, ...source.log, ...statements].join('\n')
  assert.ok(!texts.includes('canary'), texts)
}

test('the verifier of these tests accepts the published examples of AWS', () => {
  // https://docs.aws.amazon.com/general/latest/gr/signature-v4-test-suite.html: get-vanilla, post-vanilla
  const signatures = {
    GET: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    POST: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  }
  const scope = '20150830/us-east-1/service/aws4_request'
  for (const [method, signature] of Object.entries(signatures)) {
    const header = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=host;x-amz-date, Signature=${signature}`
    const authorization = parseAuthorization(header)
    assert.ok(authorization)
    const headers = { 'x-amz-date': '20150830T123600Z' }
    const request = { method, target: '/', headers, body: '' }
    const isValid = (secret: string, more: object = {}) =>
      isSignatureValid({ ...request, ...more }, authorization, secret, 'example.amazonaws.com')
    const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
    assert.ok(isValid(secret))
    assert.ok(!isValid(`${secret}x`))
    assert.ok(!isValid(secret, { body: '{}' }))
    assert.ok(!isValid(secret, { headers: { ...headers, 'x-amz-target': 'unsigned' } }))
  }
})

test('glue › sends and signs the session token of a temporary key', async (t) => {
  const source = await startGlueSource(t)
  source.model.keys.set('AKIATEST', { secret: 'canary-secret', token: 'canary-token' })
  const secrets = { secretAccessKey: ' canary-secret\n', sessionToken: 'canary-token\n' }
  const reading = await source.read({ secrets })
  assert.deepEqual(listComplete(reading), ['sales'])
  assert.ok(!JSON.stringify([reading, source.log]).includes('canary'))
  assert.match(
    String(source.proxy.requests[0]?.headers.authorization),
    /SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target,/,
  )
})

function newSecrets(secretAccessKey: string): Given {
  return { secrets: { secretAccessKey } }
}

test('glue › reports rejected keys without repeating them', async (t) => {
  const source = await startGlueSource(t)
  await assertFails(source, newSecrets('canary-wrong'), /the secret access key is wrong/)
  const configuration = { accessKeyId: 'AKIAOTHER' }
  await assertFails(source, { configuration }, /does not accept the access key id/)
  const withToken = { secretAccessKey: 'canary-secret', sessionToken: 'canary-token' }
  await assertFails(source, { secrets: withToken }, /or the session token/)
  source.model.keys.set('AKIATEST', {
    secret: 'canary-secret',
    token: 'canary-token',
    isExpired: true,
  })
  await assertFails(source, { secrets: withToken }, /session token has expired/)
  const requestCount = source.proxy.requests.length
  await assertFails(source, { secrets: {} }, /secret access key is missing/)
  await assertFails(source, newSecrets('canary\r\nx: y'), /invalid characters/)
  const badToken = { secretAccessKey: 'canary-secret', sessionToken: 'canary\r\nx: y' }
  await assertFails(source, { secrets: badToken }, /session token has invalid characters/)
  assert.equal(source.proxy.requests.length, requestCount)
})

test('glue › fails when the session token expires in mid-run', async (t) => {
  const source = await startGlueSource(t)
  source.model.databases = { a: [], b: [], c: [] }
  const key = { secret: 'canary-secret', token: 'canary-token', isExpired: false }
  source.model.keys.set('AKIATEST', key)
  const stalled = source.proxy.stall('"b"')
  const secrets = { secretAccessKey: 'canary-secret', sessionToken: 'canary-token' }
  const failing = assertFails(source, { secrets }, /session token has expired/)
  await stalled.reached
  key.isExpired = true
  stalled.release()
  await failing
})

test('glue › reports a wrong clock, and nothing of the signed request that AWS repeats', async (t) => {
  const source = await startGlueSource(t)
  const reject = (code: string, message: string) =>
    source.proxy.fail('CatalogId', {
      status: 400,
      body: JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }),
    })
  const late = 'Signature expired: 20260101T000000Z is now earlier than 20260101T001000Z canary'
  reject('InvalidSignatureException', late)
  await assertFails(source, {}, /the clock of this server is wrong/)
  reject('InvalidSignatureException', 'Signature not yet current: 20260101T000000Z canary')
  await assertFails(source, {}, /the clock of this server is wrong/)
  reject('InvalidSignatureException', 'The Canonical String should have been POST canary-token')
  await assertFails(source, {}, /the secret access key is wrong/)
})

test('glue › assumes a role once for all requests', async (t) => {
  const source = await startGlueSource(t)
  source.model.role.externalId = 'portbook:1'
  source.model.databases = { a: [newTable('x')], b: [newTable('y')] }
  // The configured key can only assume the role.
  const configuration = { ...WITH_ROLE, externalId: 'portbook:1' }
  const reading = await source.read({ configuration })
  assert.deepEqual(listComplete(reading), ['a', 'b'])
  assert.deepEqual(source.listOperations(), ['/', 'GetDatabases', 'GetTables', 'GetTables'])
  const form = new URLSearchParams(source.proxy.requests[0]?.body)
  assert.equal(form.get('RoleArn'), ROLE)
  assert.equal(form.get('DurationSeconds'), '3600')
  assert.match(String(source.proxy.requests[1]?.headers.authorization), /Credential=ASIATEST1\//)
  assert.ok(!JSON.stringify([reading, source.log]).includes('canary'))
  const withTags = await source.read({ configuration: { ...configuration, includeTags: true } })
  assert.deepEqual(listComplete(withTags), ['a', 'b'])
  assert.equal(source.proxy.count('Action=AssumeRole'), 2)
})

test('glue › renews the key of a role before it expires', async (t) => {
  const source = await startGlueSource(t)
  source.model.role.lifetimeSeconds = 0
  assert.deepEqual(listComplete(await source.read({ configuration: WITH_ROLE })), ['sales'])
  assert.deepEqual(source.listOperations(), ['/', 'GetDatabases', '/', 'GetTables'])
})

test('glue › renews an expired key of a role once for all concurrent requests', async (t) => {
  const source = await startGlueSource(t)
  const { model, proxy } = source
  const names = Array.from({ length: 20 }, (_, at) => `t${at}`)
  const target = { CatalogId: '999999999999', DatabaseName: 'theirs' }
  model.shared = { '999999999999': { theirs: names.map((name) => newTable(name)) } }
  model.databases = {
    sales: names.map((name) => ({ Name: name, TargetTable: { ...target, Name: name } })),
  }
  const stalled = proxy.stall('"t1"')
  const configuration = { ...WITH_ROLE, resourceLinks: 'follow' }
  const reading = source.read({ configuration })
  await stalled.reached
  for (const [id, key] of model.keys) {
    if (id.startsWith('ASIA')) Object.assign(key, { isExpired: true })
  }
  stalled.release()
  const { assets, unreadable } = await reading
  assert.deepEqual([assets.length, unreadable.length], [21, 0])
  assert.equal(proxy.count('Action=AssumeRole'), 2)
})

test('glue › fails if the renewed key is expired too', async (t) => {
  const source = await startGlueSource(t)
  const body = JSON.stringify({ __type: 'ExpiredTokenException' })
  source.proxy.fail('"DatabaseName"', { status: 400, body })
  await assertFails(source, { configuration: WITH_ROLE }, /session token has expired/)
  assert.equal(source.proxy.count('"DatabaseName"'), 2)
})

test('glue › reports a role that cannot be assumed', async (t) => {
  const source = await startGlueSource(t)
  const configuration = { ...WITH_ROLE, externalId: 'wrong' }
  await assertFails(source, { configuration }, /may not assume the role arn:aws:iam::1234/)
  const wrong = { configuration: WITH_ROLE, secrets: { secretAccessKey: 'canary-wrong' } }
  await assertFails(source, wrong, /the secret access key is wrong/)
  const error = { Error: { Code: 'RegionDisabledException', Message: 'canary' } }
  source.proxy.fail('AssumeRole', { status: 403, body: JSON.stringify(error) })
  const failure = await catchFailure(source.read({ configuration: WITH_ROLE }))
  assert.equal(failure.kind, 'protocol')
  source.proxy.heal()
  for (const text of ['<html>canary</html>', '{"AssumeRoleResponse":{}}']) {
    source.proxy.fail('AssumeRole', { text })
    await assertFails(source, { configuration: WITH_ROLE }, /answer to AssumeRole/, 'protocol')
    source.proxy.heal()
  }
})

function toXml(expiration: string): string {
  return `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
    <AssumeRoleResult><Credentials>
      <AccessKeyId>ASIAXML</AccessKeyId><SecretAccessKey>canary-issued</SecretAccessKey>
      <SessionToken> canary-token
      </SessionToken><Expiration>${expiration}</Expiration>
    </Credentials></AssumeRoleResult></AssumeRoleResponse>`
}

test('glue › accepts keys of a role in XML', async (t) => {
  const source = await startGlueSource(t)
  source.model.keys.set('ASIAXML', { secret: 'canary-issued', token: 'canary-token' })
  source.proxy.fail('AssumeRole', { text: toXml('2999-01-01T00:00:00Z') })
  assert.deepEqual(listComplete(await source.read({ configuration: WITH_ROLE })), ['sales'])
  assert.equal(source.proxy.count('AssumeRole'), 1)
  source.proxy.fail('AssumeRole', { text: toXml('soon') })
  await assertFails(source, { configuration: WITH_ROLE }, /answer to AssumeRole/, 'protocol')
  const error = '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>'
  source.proxy.fail('AssumeRole', { status: 403, body: error })
  await assertFails(source, { configuration: WITH_ROLE }, /may not assume the role/)
})

test('glue › a throttled AssumeRole is retried', async (t) => {
  const source = await startGlueSource(t)
  const body = JSON.stringify({ Error: { Code: 'Throttling', Message: 'Rate exceeded' } })
  source.proxy.fail('AssumeRole', { status: 400, body }, 1)
  assert.deepEqual(listComplete(await source.read({ configuration: WITH_ROLE })), ['sales'])
  assert.equal(source.waitsMs.length, 1)
})

const ACCOUNT = { region: 'eu-central-1', catalogId: '123456789012', accessKeyId: 'AKIATEST' }

function isValid(more: object): boolean {
  return glueConfiguration.safeParse({ ...ACCOUNT, ...more }).success
}

test('glue › rejects invalid configurations', () => {
  assert.ok(isValid({}))
  for (const invalid of [
    { region: 'eu-central-1.evil.example/' },
    { region: 'EU' },
    { catalogId: undefined },
    { catalogId: '1234' },
    { catalogId: '123456789012:other' },
    { accessKeyId: 'a b' },
    { authentication: 'role' },
    { ...WITH_ROLE, roleArn: 'portbook' },
    { ...WITH_ROLE, externalId: 'a b' },
    { endpoint: 'ftp://x.example' },
    { endpoint: 'https://user@x.example' },
    { secretAccessKey: 'x' },
    { resourceLinks: 'maybe' },
  ]) {
    assert.ok(!isValid(invalid), JSON.stringify(invalid))
  }
  for (const region of ['us-gov-west-1', 'cn-north-1', 'ap-southeast-3', 'us-iso-east-1']) {
    assert.ok(isValid({ region }), region)
  }
  assert.ok(isValid(WITH_ROLE))
})

function describeRegion(region: string, more: object = {}): (string | undefined)[] {
  const configuration = glueConfiguration.parse({ ...ACCOUNT, region, ...more })
  return [
    getEndpoint(configuration, 'glue').href,
    getEndpoint(configuration, 'lakeformation', 'GetResourceLFTags').href,
    /arn:[^"]+/.exec(writePolicyStatement(configuration))?.[0],
  ]
}

test('glue › uses the endpoints and ARNs of the partition of a region', () => {
  assert.deepEqual(describeRegion('eu-central-1'), [
    'https://glue.eu-central-1.amazonaws.com/',
    'https://lakeformation.eu-central-1.amazonaws.com/GetResourceLFTags',
    'arn:aws:glue:eu-central-1:123456789012:catalog',
  ])
  assert.deepEqual(describeRegion('cn-north-1', { lakeFormationEndpoint: 'https://lf.example/' }), [
    'https://glue.cn-north-1.amazonaws.com.cn/',
    'https://lf.example/GetResourceLFTags',
    'arn:aws-cn:glue:cn-north-1:123456789012:catalog',
  ])
  assert.match(String(describeRegion('us-gov-west-1')[2]), /^arn:aws-us-gov:/)
})

test('glue › every secret is requested again when the account or an endpoint changes', () => {
  const { shape } = glueConfiguration
  const others = ['includeViews', 'includeTags', 'resourceLinks']
  const fields = Object.keys(shape).filter((name) => !others.includes(name))
  assert.deepEqual([...glue.description.connectionFields].toSorted(), fields.toSorted())
})
