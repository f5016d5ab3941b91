/** A catalog in which every text is hostile. */

import { eventually } from '../eventually.ts'
import type { SourceDatabase } from '../postgres-source.ts'
import { newSpan, toTraces } from '../usage.ts'
import type { Visitor } from './browser.ts'
import type { Catalog } from './catalog.ts'
import {
  addPoisonedRecords,
  BAD_URIS,
  readExample,
  MARKUP,
  POISONS,
  putPoisoned,
} from './hostile.ts'

const RUN_MS_MAX = 60_000

/** The ids of an agreement and of a request whose every text is hostile. */
export const HOSTILE_AGREEMENT = 'hostile'
export const HOSTILE_REQUEST = 'hostile-request'

/** A name with markup and quotes. */
export const NAME = `${MARKUP}'"\u00AB`

const SCHEMA = `<svg onload=window.__hacked=30>`
/** Tables whose names, columns and comments are hostile. */
export const TABLES = `
  create schema "${SCHEMA}";
  create table "${SCHEMA}"."${`"><svg/onload=window.__hacked=31>`.replaceAll('"', '""')}" (
    "<b onclick=window.__hacked=32>" text, "__proto__" int, "${'c'.repeat(63)}" text,
    "\u202Eabc" text, "a b%2f../" text, "{{7*7}}" text
  );
  comment on table "${SCHEMA}"."${`"><svg/onload=window.__hacked=31>`.replaceAll('"', '""')}" is
    '${`${MARKUP} ${'W'.repeat(10_000)}`.replaceAll("'", "''")}';
  create table "${SCHEMA}"."${MARKUP.replaceAll('"', '""').slice(0, 60)}" (a text);
`

const DOCUMENTS: readonly [kind: string, path: string, file: string][] = [
  ['odps', '/api/dataproducts/', 'data-products/corridor-margin.yaml'],
  ['dps', '/api/dataproducts/', 'data-products/wagon-mileage.yaml'],
  ['odcs', '/api/datacontracts/', 'data-contracts/wagon-journeys-v2.yaml'],
  ['dcs', '/api/datacontracts/', 'data-contracts/wheelset-due-list.yaml'],
  ['asset', '/api/assets/', 'assets/warehouse.operations.wagon_journeys_v2.journey.json'],
]

function ownedByFleet(document: Record<string, unknown>): Record<string, unknown> {
  const info = document['info']
  if (typeof info === 'object' && info !== null && 'owner' in info) {
    return { ...document, info: { ...info, owner: 'fleet' } }
  }
  return 'team' in document
    ? { ...document, team: { ...(document['team'] as object), name: 'fleet' } }
    : document
}

/** Sends a request in the session of a person; returns the answer. Errors: any status but success. */
export type SessionRequest = <Answer>(
  method: string,
  path: string,
  body?: object,
) => Promise<Answer>

/** Registers documents, settings and reports whose every text is hostile. */
export async function fillHostileCatalog(catalog: Catalog, request: SessionRequest): Promise<void> {
  for (const id of ['fleet', 'rail-operations']) {
    const team = readExample(`teams/${id}.json`)
    delete team['parent']
    await putPoisoned(catalog, `/api/teams/${id}`, { ...team, description: POISONS[4] }, 0)
  }
  for (let turn = 0; turn < POISONS.length; turn += 1) {
    for (const [kind, path, file] of DOCUMENTS) {
      const document = ownedByFleet(readExample(file))
      const id = `${kind}-${turn}`
      await putPoisoned(catalog, `${path}${id}`, { ...document, id }, turn)
    }
  }
  for (const [id, contract] of [
    ['hostile', 'odcs-0'],
    ['other', 'unknown'],
  ] as const) {
    await catalog.call('POST', '/api/test-results', buildHostileResult(id, contract))
  }
  await addPoisonedRecords(catalog, 'odps-2', 'fleet')
  await reportUse(request)
  await requestAccess(request)
  await putSettings(request)
  await request('PUT', '/ui/profile', { name: NAME })
  await request('PUT', '/ui/organization', { name: NAME })
  const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  await request('POST', '/ui/api-keys', { scope: 'user', displayName: NAME, expiresAt })
  await request('POST', '/ui/invitations', {
    email: `<b>@xn--evil.example`,
    role: 'Member',
  }).catch(() => undefined)
}

// A request and a decision, each with every hostile text.
async function requestAccess(request: SessionRequest): Promise<void> {
  const { outputPorts } = await request<{ outputPorts: { id?: string; name: string }[] }>(
    'GET',
    '/api/dataproducts/odps-0',
  )
  const port = outputPorts[0]?.id ?? outputPorts[0]?.name
  const texts = POISONS.map((text) => text.slice(0, 600)).join(' ')
  for (const id of [HOSTILE_AGREEMENT, HOSTILE_REQUEST]) {
    await request('PUT', `/api/access/${encodeURIComponent(id)}`, {
      info: { purpose: texts },
      provider: { dataProductId: 'odps-0', outputPortId: port },
      consumer: { dataProductId: 'odps-2' },
      roles: POISONS.map((text) => text.slice(0, 200)),
    })
  }
  const decision = { ids: [HOSTILE_AGREEMENT], decision: 'approve', reason: texts.slice(0, 1900) }
  await request('POST', '/ui/access-decisions', decision)
}

// Consumers and costs of a data product.
async function reportUse(request: SessionRequest): Promise<void> {
  const names = POISONS.map((text) => text.replaceAll(/\p{Cc}/gu, '').slice(0, 1000))
  const spans = names.map((user) => newSpan({ user, role: names[0] ?? '', accessId: user }))
  await request('POST', '/api/v1/traces', toTraces('odps-0', spans, { port: names[4] ?? '' }))
  for (const [at, text] of POISONS.entries()) {
    await request('POST', '/api/costs', {
      dataProductId: 'odps-0',
      name: text,
      category: text,
      description: text,
      currency: at < 3 ? 'EUR' : text,
      amount: at + 1,
      link: BAD_URIS[at],
    })
  }
}

// Members of the example teams have the default roles.
async function putSettings(request: SessionRequest): Promise<void> {
  const usual = ['Owner', 'Approver', 'Editor', 'Steward', 'Member']
  const roles = [...usual, ...POISONS.map((text) => text.slice(0, 1000))]
  await request('PUT', '/api/settings/team-roles', {
    mode: 'custom-team-roles',
    'team-roles': roles.map((name, at) => ({
      name,
      description: POISONS[at % POISONS.length]?.slice(0, 3000),
      permissions: ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT', 'TEAM_EDIT'],
    })),
  })
  await request('PUT', '/api/organization/features', { customScript: POISONS.join(' ') })
  await request('PUT', '/api/settings/customization', {
    dataProduct: {
      customFilters: POISONS.map((text) => ({
        displayName: text.slice(0, 100),
        customField: text.slice(0, 256),
      })),
    },
  })
}

/** Ingests the hostile tables of a database; returns the ids of an ingested asset and of the run. */
export async function ingestHostileTables(
  source: SourceDatabase,
  request: SessionRequest,
): Promise<{ asset: string; run: string }> {
  await source.execute(`
    grant usage on schema "${SCHEMA}" to ${source.user};
    grant select on all tables in schema "${SCHEMA}" to ${source.user}`)
  const { configuration } = source.setup()
  await request('POST', '/ui/integrations', {
    externalId: 'hostile',
    name: NAME,
    source: 'postgres',
    enabled: false,
    scheduleExpression: null,
    timeZone: 'UTC',
    configuration,
    filters: { include: {}, exclude: { table: [`${MARKUP}*`] } },
    secrets: { password: source.password },
  })
  const started = await request<{ ingestionRunId: string }>(
    'POST',
    '/ui/integrations/hostile/run',
    {},
  )
  const run = started.ingestionRunId
  const path = `/api/integrations/ingest/hostile/runs/${run}`
  const isOver = async (): Promise<boolean> =>
    (await request<{ status: string }>('GET', path)).status !== 'RUNNING'
  await eventually(RUN_MS_MAX, isOver, 'the run ends')
  const assets = await request<{ id: string; info: { name: string } }[]>('GET', '/api/assets')
  const asset =
    assets.find((one) => one.id.startsWith('postgres-') && one.info.name.startsWith('">'))?.id ?? ''
  await request('PUT', `/ui/assets/${asset}/annotation`, {
    description: POISONS.join('\n'),
    owner: null,
    tags: POISONS.map((text) => text.slice(0, 200)),
  })
  return { asset, run }
}

function buildHostileResult(id: string, dataContractId: string): object {
  const checks = POISONS.flatMap((text) => [
    { name: text, result: text, model: text, field: text, reason: text, category: text },
    { name: text, result: 'failed', details: text, failedNumber: 1e300, totalNumber: -1 },
  ])
  const logs = POISONS.map((text) => ({ level: text, message: text, timestamp: text }))
  const outputPortId = POISONS[4]?.slice(0, 500)
  const names = { server: POISONS[0], dataProductId: NAME, outputPortId }
  return { id, dataContractId, dataContractVersion: NAME, ...names, checks, logs }
}

/** Creates a function that sends requests in the session of a visitor. */
export function createSessionRequest({ context }: Visitor): SessionRequest {
  return async function request<Answer>(
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> {
    const response = await context.request.fetch(path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin' },
      ...(body === undefined ? {} : { data: body }),
    })
    if (!response.ok())
      throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
    const text = await response.text()
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
}
