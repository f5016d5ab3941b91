import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { catchFailure } from '../../../test/source-reading.ts'
import { DialRefused, newDialer } from '../../platform/kit/dialer.ts'
import { newFairQueue } from '../../platform/kit/fair-queue.ts'
import type { Connector, Setup } from '../connector.ts'
import { CONNECTORS } from '../connectors.ts'
import { NO_FILTERS } from '../filter.ts'
import { isolateConnectors } from './isolated-connectors.ts'

const HOSTILE_READER = fileURLToPath(new URL('../../../test/hostile-reader.ts', import.meta.url))
const MEBIBYTE = 1024 * 1024
const LIMITS = { silentMsMax: 2500, startMsMax: 30_000, memoryBytesMax: 400 * MEBIBYTE }
const SECRET = 'secret-of-the-source'

const INVALID = 'The process that reads the source sent an invalid message.'
const TOO_LARGE = 'The source sent more than the memory of its reader can hold.'

function setupFor(host: string, more: Partial<Setup> = {}): Setup {
  return {
    configuration: { host, port: 1, user: 'reader', sslMode: 'disable' },
    filters: NO_FILTERS,
    secrets: { password: SECRET },
    dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
    signal: new AbortController().signal,
    log: () => undefined,
    sent: () => undefined,
    ...more,
  }
}

function postgresIn(isolation: Parameters<typeof isolateConnectors>[1]): Connector {
  const connector = isolateConnectors(CONNECTORS, isolation).get('postgres')
  if (connector === undefined) throw new Error('no such connector')
  return connector
}

describe('a connector in a separate process', { concurrency: 2 }, () => {
  test('reports the same findings, failures and statements as in this process', async () => {
    const isolated = postgresIn({})
    const inProcess = CONNECTORS.get('postgres')
    const statements: string[] = []
    const setup = setupFor('127.0.0.1', { sent: (statement) => statements.push(statement) })
    assert.deepEqual(await isolated.check(setup), await inProcess?.check(setupFor('127.0.0.1')))
    assert.deepEqual(statements, ['connect to postgres'])
    const { kind, message } = await catchFailure(isolated.open(setup))
    assert.deepEqual([kind, message], ['unreachable', 'Nothing listens at 127.0.0.1:1.'])
  })

  test('applies the address rules of this process', async () => {
    const rules = { privateAddresses: 'deny', allowed: [], ownStore: undefined } as const
    const setup = setupFor('127.0.0.1', { dialer: newDialer(rules) })
    const { cause } = await catchFailure(postgresIn({}).open(setup))
    assert.ok(cause instanceof DialRefused)
    const ports = { ...rules, privateAddresses: 'allow', ownPorts: [1] } as const
    const itself = await catchFailure(
      postgresIn({}).open(setupFor('127.0.0.1', { dialer: newDialer(ports) })),
    )
    assert.ok(itself.cause instanceof DialRefused, itself.message)
    const own = { ...rules, allowed: ['127.0.0.1'], ownStore: { host: 'localhost', port: 1 } }
    const { message } = await catchFailure(
      postgresIn({}).open(setupFor('127.0.0.1', { dialer: newDialer(own) })),
    )
    assert.match(message, /resolves to the database of this server/)
  })

  test('has no settings of this process and no credentials in its environment or arguments', async (t) => {
    t.after(() => delete process.env['DATABASE_URL'])
    process.env['DATABASE_URL'] = 'postgres://canary@127.0.0.1/portbook'
    const hostile = postgresIn({ program: HOSTILE_READER, limits: LIMITS })
    const [finding] = await hostile.check(setupFor('environment'))
    assert.ok(finding !== undefined && !finding.what.includes(SECRET))
    assert.ok(!finding.what.includes('canary'), finding.what)
    const { env } = JSON.parse(finding.what) as { env: object }
    const names = Object.keys(env).filter((name) => !/^(?:NODE_\w+|SSL_\w+|TZ|PWD|_)$/.test(name))
    assert.deepEqual(names, [])
  })

  const deeds: [deed: string, message: string][] = [
    ['garbage', INVALID],
    ['a frame of 2 GB', INVALID],
    ['a frame that is not JSON', INVALID],
    ['no known message', INVALID],
    ['a value of another shape', INVALID],
    ['a value that is too long', INVALID],
    ['too many values', INVALID],
    ['a deeply nested value', INVALID],
    ['a reply to no call', INVALID],
    ['beats without end', INVALID],
    ['exit', 'The process that reads the source ended.'],
    ['an uncaught error', 'The process that reads the source ended.'],
    [
      'killed from outside',
      'The process that reads the source was killed; the machine may be out of memory.',
    ],
    ['aborted', 'The process that reads the source ended.'],
    ['a full heap', TOO_LARGE],
    ['memory outside of the heap', TOO_LARGE],
    ['a blocked loop', 'The process that reads the source did not respond for 2.5 s.'],
  ]
  for (const [deed, message] of deeds) {
    test(`${deed} › is a failure of the source`, async () => {
      const hostile = postgresIn({ program: HOSTILE_READER, limits: LIMITS })
      const failure = await catchFailure(hostile.check(setupFor(deed)))
      assert.deepEqual([failure.kind, failure.message], ['crashed', message])
    })
  }

  test('a reader without a first message › is reported with the limit of its start', async () => {
    const limits = { ...LIMITS, startMsMax: 200 }
    const hostile = postgresIn({ program: HOSTILE_READER, limits })
    const { kind, message } = await catchFailure(hostile.check(setupFor('silence')))
    // This machine is busy, so that a later attempt may succeed.
    assert.equal(kind, 'unreachable')
    assert.equal(message, 'The process that reads the source did not start within 0.2 s.')
  })

  test('an abort ends a reader that does not answer and starts a waiting one', async () => {
    const places = newFairQueue({ runningMax: 1, waitingMax: 10 })
    const hostile = postgresIn({ program: HOSTILE_READER, limits: LIMITS, places })
    const aborting = new AbortController()
    const silent = hostile.open(setupFor('silence', { signal: aborting.signal }))
    const next = hostile.check(setupFor('environment'))
    const impatient = hostile.check(setupFor('environment', { signal: AbortSignal.timeout(50) }))
    await assert.rejects(impatient, { name: 'TimeoutError' })
    aborting.abort()
    assert.equal((await catchFailure(silent)).kind, 'cancelled')
    assert.equal((await next).length, 1)
  })
})
