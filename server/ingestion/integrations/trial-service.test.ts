import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { z } from '@hono/zod-openapi'
import pino from 'pino'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'
import type { Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { SourceFailure, type Connector, type Scope } from '../../connectors/connector.ts'
import type { Setup, SourceSession } from '../../connectors/connector.ts'
import { DialRefused } from '../../platform/kit/dialer.ts'
import { configureIntegration, createIntegration } from './change-service.ts'
import { previewScopes, testIntegration } from './trial-service.ts'

const NEVER = new Promise<never>(() => undefined)

/** Creates a connector with the given behaviour. */
function connectorThat(does: Partial<Pick<Connector, 'check' | 'open'>>): Connector {
  return {
    source: 'scripted',
    description: {
      title: 'Scripted',
      summary: 'A script.',
      configuration: z.strictObject({
        host: z.string(),
        port: z.int().default(1),
        note: z.string().optional(),
      }),
      secrets: [
        { name: 'password', title: 'Password', required: true, multiline: false },
        { name: 'key', title: 'Key', required: false, multiline: true },
      ],
      connectionFields: ['host', 'port'],
      nameFields: ['host'],
      levels: ['database', 'schema'],
      scopeLevel: 'schema',
      systemNames: {},
      assetKinds: ['schema'],
      kindsLeftOut: () => [],
      serverType: undefined,
    },
    check: async () => [],
    open: async () => createSession(async function* () {}),
    ...does,
  }
}

function createSession(
  scopes: () => AsyncGenerator<Scope>,
  close: () => void = () => undefined,
): SourceSession {
  return { scopes, read: async function* () {}, close: async () => close() }
}

function scope(index: number, decision: Scope['decision'] = 'included'): Scope {
  return { path: ['sales', `s${index}`], kind: 'schema', reading: 'sales', decision }
}

function toMap(connector: Connector): Map<string, Connector> {
  return new Map([['scripted', connector]])
}

function draft(more: object = {}): Value {
  return {
    name: 'Scripted',
    source: 'scripted',
    configuration: { host: 'h' },
    secrets: { password: 'p' },
    ...more,
  }
}

onStore((store) => {
  let world: World
  let caller: Caller
  const logged: string[] = []
  before(async () => {
    const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) })
    world = await newWorld(newProduct(store(), { log }))
    caller = await world.services.authenticator.authenticate(world.keys.Uo)
  })

  /** Returns the set-up that a connector received. */
  async function given(externalId: string | undefined, value: Value | undefined): Promise<Setup> {
    const setups: Setup[] = []
    const connector = connectorThat({
      check: async (setup) => {
        setups.push(setup)
        return [{ state: 'ok', what: 'connect' }]
      },
    })
    const trial = { externalId, value }
    const findings = await testIntegration(world.services, toMap(connector), caller, trial)
    assert.deepEqual(findings, [{ state: 'ok', what: 'connect' }])
    const [setup] = setups
    assert.ok(setup)
    return setup
  }

  test('testIntegration › passes the stored settings, a changed draft or a new draft to the connector', async () => {
    const connectors = toMap(connectorThat({}))
    const stored = draft({ secrets: { password: 'stored', key: 'k' }, externalId: uniqueId() })
    const id = await createIntegration(world.services, connectors, caller, stored)
    const createSetup = async (...requests: Parameters<typeof given>): Promise<unknown[]> => {
      const { configuration, secrets, filters, dialer } = await given(...requests)
      assert.deepEqual(filters, { include: {}, exclude: {} })
      assert.equal(dialer, world.services.dialer)
      return [configuration, secrets]
    }
    assert.deepEqual(await createSetup(id, undefined), [
      { host: 'h', port: 1 },
      { password: 'stored', key: 'k' },
    ])
    const change = { configuration: { host: 'h', note: 'n' }, secrets: { key: null } }
    assert.deepEqual(await createSetup(id, change), [
      { host: 'h', port: 1, note: 'n' },
      { password: 'stored' },
    ])
    const elsewhere = { configuration: { host: 'other' }, secrets: { password: 'new', key: 'new' } }
    assert.deepEqual(await createSetup(id, elsewhere), [
      { host: 'other', port: 1 },
      { password: 'new', key: 'new' },
    ])
    assert.deepEqual(await createSetup(undefined, draft()), [
      { host: 'h', port: 1 },
      { password: 'p' },
    ])
  })

  test('a required secret › cannot be omitted or removed', async () => {
    const connectors = toMap(connectorThat({}))
    const { services } = world
    const missing = { code: 'validation_failed', message: /secrets.password: Password must be set/ }
    await assert.rejects(
      createIntegration(services, connectors, caller, draft({ secrets: {} })),
      missing,
    )
    const externalId = await createIntegration(services, connectors, caller, draft())
    const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
    const value = draft({ secrets: { password: null } })
    await assert.rejects(
      configureIntegration(services, connectors, caller, { externalId, value, conditions }),
      missing,
    )
  })

  test('a connection field added later › is not a change while it has its default', async () => {
    const { services } = world
    const older = connectorThat({})
    const shape = z.strictObject({ host: z.string() })
    const description = { ...older.description, configuration: shape, connectionFields: ['host'] }
    const externalId = await createIntegration(
      services,
      toMap({ ...older, description }),
      caller,
      draft(),
    )
    const conditions = { ifMatch: undefined, ifNoneMatch: undefined }
    const change = (configuration: object): Promise<void> => {
      const value = draft({ configuration, secrets: {} })
      return configureIntegration(services, toMap(older), caller, { externalId, value, conditions })
    }
    await change({ host: 'h', port: 1 })
    await assert.rejects(change({ host: 'h', port: 2 }), /Enter it again because port changed/)
  })

  const FAILURES: [string, () => Promise<never>, RegExp][] = [
    ['hangs', () => NEVER, /did not answer in time/],
    [
      'is rejected by the dialer',
      async () => {
        const cause = new DialRefused('The address 169.254.169.254 is not connected to.')
        throw new SourceFailure('unreachable', 'db cannot be reached', { cause })
      },
      /^The address 169\.254\.169\.254/,
    ],
    [
      'fails with our message',
      async () => {
        throw new SourceFailure('auth', 'The source refused canary-of-a-secret.')
      },
      /^The source refused •••\.$/,
    ],
    [
      'fails with a driver’s message',
      async () => {
        throw new Error('at socket.js:7', { cause: new Error('password canary-of-a-secret wrong') })
      },
      /^Unexpected error\. See the server log for details\.$/,
    ],
  ]
  for (const [what, failing, says] of FAILURES) {
    test(`a source that ${what} › a finding, and a problem of the preview`, async () => {
      const value = draft({ secrets: { password: 'canary-of-a-secret' } })
      const trial = { externalId: undefined, value }
      const { services } = world
      const checking = toMap(connectorThat({ check: failing }))
      const [finding] = await testIntegration(services, checking, caller, trial, 50)
      assert.equal(finding?.state, 'error')
      assert.match(finding?.hint ?? '', says)

      let closed = 0
      const opening = toMap(connectorThat({ open: failing }))
      const listing = toMap(
        connectorThat({
          open: async () =>
            createSession(
              async function* () {
                yield scope(1)
                await failing()
              },
              () => (closed += 1),
            ),
        }),
      )
      const unopened = await previewScopes(services, opening, caller, trial, 50)
      assert.match(unopened.problem ?? '', says)
      assert.deepEqual(unopened.scopes, [])
      const unended = await previewScopes(services, listing, caller, trial, 50)
      assert.match(unended.problem ?? '', says)
      assert.deepEqual([unended.scopes.length, unended.counts.included, closed], [1, 1, 1])
      assert.ok(!logged.join('').includes('canary-of-a-secret'))
    })
  }

  test('previewScopes › shows a thousand scopes and counts all of them', async () => {
    const decisions = ['included', 'excluded', 'denied'] as const
    const connector = connectorThat({
      open: async () =>
        createSession(async function* () {
          for (let index = 0; index < 2500; index += 1) yield scope(index, decisions[index % 3])
        }),
    })
    const trial = { externalId: undefined, value: draft() }
    const preview = await previewScopes(world.services, toMap(connector), caller, trial)
    assert.equal(preview.problem, null)
    assert.deepEqual(preview.counts, { included: 834, excluded: 833, denied: 833 })
    assert.equal(preview.scopes.length, 1000)
    assert.deepEqual(preview.scopes[1], {
      path: ['sales', 's1'],
      kind: 'schema',
      decision: 'excluded',
    })
  })
})
