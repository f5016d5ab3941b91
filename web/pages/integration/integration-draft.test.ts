import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Source } from '../../api/sources.ts'
import { createFormFields, toFormValues } from '../../parts/schema-form-values.ts'
import {
  askedSecrets,
  toIntegrationBody,
  changedConnection,
  toIntegrationDraft,
  emptyDraft,
  getName,
  missingIn,
  findStep,
  stepsWithProblems,
  withoutField,
  type IntegrationForm,
} from './integration-draft.ts'
import { secretFacts } from './setup-facts.ts'

const source: Source = {
  source: 'postgres',
  title: 'PostgreSQL',
  summary: 'Reads tables.',
  configuration: {
    properties: {
      host: { type: 'string' },
      user: { type: 'string' },
      sslMode: { type: 'string', enum: ['disable', 'require'], default: 'require' },
      includeViews: { type: 'boolean', default: true },
    },
    required: ['host', 'user'],
  },
  secrets: [
    { name: 'password', title: 'Password', required: false, multiline: false },
    {
      name: 'clientKey',
      title: 'Client key',
      required: false,
      multiline: true,
      onlyWith: { name: 'sslMode', values: ['require'] },
    },
  ],
  connectionFields: ['host', 'user', 'sslMode'],
  nameFields: ['database', 'host'],
  levels: ['database', 'schema', 'table'],
  scopeLevel: 'schema',
  assetKinds: ['table'],
  guide: null,
}
const fields = createFormFields(source.configuration)

const form = {
  externalId: 'warehouse',
  name: 'Warehouse',
  source: 'postgres',
  owningTeamExternalId: 'sales',
  configuration: { host: 'db', user: 'reader', sslMode: 'require', includeViews: true },
  filters: { include: { schema: ['sales*', 'x'] }, exclude: {} },
  secrets: [
    { ...source.secrets[0], setAt: '2026-01-02T03:04:05Z' },
    { ...source.secrets[1], setAt: null },
  ],
  scheduleExpression: null,
  timeZone: 'Europe/Berlin',
  enabled: false,
  version: 4,
} as unknown as IntegrationForm

describe('the draft of an integration', () => {
  test('that is there and not changed comes to what is stored, with its version and no secret', () => {
    const body = toIntegrationBody(toIntegrationDraft(form, fields), source, fields, {})
    assert.deepEqual(body, {
      externalId: 'warehouse',
      name: 'Warehouse',
      source: 'postgres',
      owningTeamExternalId: 'sales',
      configuration: form.configuration,
      filters: { include: { schema: ['sales*', 'x'] }, exclude: {} },
      secrets: {},
      scheduleExpression: null,
      timeZone: 'Europe/Berlin',
      enabled: false,
      version: 4,
    })
  })

  test('of a new one sends no version, no empty id, and no owner that is none', () => {
    const draft = { ...emptyDraft('', 'UTC'), source: 'postgres', values: toFormValues(fields, {}) }
    const body = toIntegrationBody(draft, source, fields, { password: 'secret', clientKey: '' })
    assert.equal('version' in body, false)
    assert.equal('externalId' in body, false)
    assert.equal(body.owningTeamExternalId, null)
    assert.deepEqual(body.secrets, { password: 'secret' })
  })

  test('sends null for a secret that is removed, also when one was typed before', () => {
    const draft = {
      ...toIntegrationDraft(form, fields),
      secretChoices: { password: 'remove' as const },
    }
    assert.deepEqual(toIntegrationBody(draft, source, fields, { password: 'typed' }).secrets, {
      password: null,
    })
  })

  test('holds no secret itself', () => {
    assert.equal(JSON.stringify(toIntegrationDraft(form, fields)).includes('password'), false)
  })
})

describe('the name of an integration', () => {
  const chosen = { ...emptyDraft('', 'UTC'), source: 'postgres' }

  test('is proposed from the platform and what it connects to', () => {
    assert.equal(
      getName({ ...chosen, values: { host: 'db.example' } }, source),
      'PostgreSQL db.example',
    )
    const values = { host: 'db.example', database: 'ware_*\nshop' }
    assert.equal(getName({ ...chosen, values }, source), 'PostgreSQL shop')
    assert.equal(getName({ ...chosen, values: {} }, source), 'PostgreSQL')
  })

  test('is the typed one, also if it is empty', () => {
    assert.equal(getName({ ...chosen, name: 'Yard' }, source), 'Yard')
    assert.equal(getName({ ...chosen, name: '' }, source), '')
  })
})

function passwordFact(
  values: object,
  secrets: Record<string, string> = {},
): readonly [string, string] | undefined {
  const draft = toIntegrationDraft(form, fields)
  const changed = { ...draft, values: { ...toFormValues(fields, form.configuration), ...values } }
  return secretFacts({ source, fields, form, secrets, draft: changed })[0]
}

describe('the summary of secrets', () => {
  test('returns whether a stored password must be entered again', () => {
    assert.deepEqual(passwordFact({}), ['Password', 'Unchanged'])
    assert.match(passwordFact({ host: 'elsewhere' })?.[1] ?? '', /^Must be entered again/)
    assert.deepEqual(passwordFact({ host: 'elsewhere' }, { password: 'new' }), [
      'Password',
      'Will be replaced',
    ])
  })
})

describe('secrets', () => {
  test('are asked for where they count, and shown where they are set', () => {
    const values = { ...toFormValues(fields, {}), sslMode: 'disable' }
    const names = (known: IntegrationForm | undefined) =>
      askedSecrets(source, values, known).map(({ name }) => name)
    assert.deepEqual(names(undefined), ['password'])
    const withKey = {
      ...form,
      secrets: form.secrets.map((secret) => ({ ...secret, setAt: '2026-01-02T03:04:05Z' })),
    }
    assert.deepEqual(names(withKey), ['password', 'clientKey'])
  })

  test('must be entered again only if the address or the user changes', () => {
    const values = toFormValues(fields, form.configuration)
    assert.deepEqual(changedConnection(source, fields, values, form), [])
    const others = { ...values, includeViews: false }
    assert.deepEqual(changedConnection(source, fields, others, form), [])
    const moved = { ...values, host: 'elsewhere', sslMode: 'disable' }
    assert.deepEqual(changedConnection(source, fields, moved, form), ['Host', 'Ssl mode'])
    assert.deepEqual(changedConnection(source, fields, moved, undefined), [])
  })
})

describe('what is wrong', () => {
  test('belongs to a step', () => {
    const steps = {
      source: 'platform',
      'configuration.host': 'connection',
      'secrets.password': 'connection',
      'filters.include.schema[0]': 'filters',
      scheduleExpression: 'details',
      owningTeamExternalId: 'details',
    }
    for (const [field, step] of Object.entries(steps)) assert.equal(findStep(field), step)
    const violations = [
      { field: 'name', message: '' },
      { field: 'secrets.password', message: '' },
    ]
    assert.deepEqual(stepsWithProblems(violations), ['connection', 'details'])
  })

  test('is forgotten for a field that changes, and for no other', () => {
    const violations = [
      { field: 'configuration.database[1]', message: 'a' },
      { field: 'configuration.databaseUser', message: 'b' },
    ]
    assert.deepEqual(withoutField(violations, 'configuration.database'), violations.slice(1))
  })

  test('is reported before the next step', () => {
    const draft = emptyDraft('', 'UTC')
    assert.equal(missingIn('platform', draft, []).length, 1)
    const chosen = { ...draft, source: 'postgres', values: toFormValues(fields, { host: 'db' }) }
    assert.deepEqual(missingIn('platform', chosen, fields), [])
    assert.deepEqual(
      missingIn('connection', chosen, fields).map(({ field }) => field),
      ['configuration.user'],
    )
    assert.equal(missingIn('details', { ...chosen, name: ' ' }, fields).length, 1)
    assert.deepEqual(missingIn('details', chosen, fields), [])
  })
})
