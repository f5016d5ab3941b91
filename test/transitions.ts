/**
 * A random walk through the states of everything that has events or an activity: documents of all kinds, agreements, plain
 * records, webhooks, keys, invitations and members. States change by a request, by time, by the deletion of
 * something else, and by a person who leaves.
 */

import { advanceDueAgreements } from '../server/agreements/occasion-service.ts'
import { fixedClock } from '../server/platform/kit/clock.ts'
import { addMember } from '../server/people/organizations/service.ts'
import { newSession } from './session.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { TESTED_KINDS } from './document-kinds.ts'
import { buildPlainRecord, toPlainPath } from './plain-records.ts'
import type { Random } from './random.ts'
import { expectOk, odps, uniqueId, withSession, type World } from './world.ts'

interface Walk {
  world: World
  random: Random
  /** The people who joined, and have not left. */
  people: string[]
  agreements: string[]
  /** The latest day that time has reached, in days from today. */
  day: number
}

type Step = (walk: Walk) => Promise<unknown>

function pick<T>({ random }: Walk, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

const toDay = (days: number): string => Temporal.Now.plainDateISO('UTC').add({ days }).toString()

// Steps that the state forbids are refused, and must leave no trace.
const send = async (
  { world }: Walk,
  method: string,
  path: string,
  body?: object,
): Promise<Response> => await world.as('O', method, path, body === undefined ? {} : { body })

const PRODUCTS = ['p0', 'p1', 'p2']
const TEAMS = ['t0', 't1']

const putProduct: Step = (walk) => {
  const id = pick(walk, PRODUCTS)
  const ports = ['out', 'more'].filter(() => walk.random() < 0.7)
  const team = { name: pick(walk, ['a', 'b', ...TEAMS]) }
  const customProperties = [{ property: 'autoApprove', value: true }]
  const outputPorts = ports.map((name) => ({ id: name, name, version: '1', customProperties }))
  return send(walk, 'PUT', `/api/dataproducts/${id}`, odps(id, { team, outputPorts }))
}

const putDocument: Step = (walk) => {
  const kind = pick(walk, TESTED_KINDS)
  const id = pick(walk, ['d0', 'd1'])
  const tags = [pick(walk, ['x', 'y', 'z'])]
  return send(walk, 'PUT', toPath(kind, id), kind.newDocument(toId(kind, id), tags))
}

type Kind = (typeof TESTED_KINDS)[number]

const ids = new Map<string, string>()

// Kinds whose ids are UUIDs have one for each short id.
function toId({ list, newId }: Kind, id: string): string {
  const key = `${list}/${id}`
  const known = ids.get(key) ?? newId?.() ?? id
  ids.set(key, known)
  return known
}

const toPath = (kind: Kind, id: string): string => `${kind.list}/${toId(kind, id)}`

const deleteDocument: Step = (walk) =>
  send(walk, 'DELETE', toPath(pick(walk, TESTED_KINDS), pick(walk, ['d0', 'd1'])))

const deleteProduct: Step = (walk) =>
  send(walk, 'DELETE', `/api/dataproducts/${pick(walk, PRODUCTS)}`)

const putTeam: Step = (walk) => {
  const id = pick(walk, TEAMS)
  return send(walk, 'PUT', `/api/teams/${id}`, { id, name: pick(walk, ['One', 'Two', 'Three']) })
}

const deleteTeam: Step = (walk) => send(walk, 'DELETE', `/api/teams/${pick(walk, TEAMS)}`)

const assignTag: Step = async (walk) => {
  const asset = TESTED_KINDS.find(({ list }) => list === '/api/assets')
  const tag = TESTED_KINDS.find(({ list }) => list === '/api/tags')
  if (asset === undefined || tag === undefined) throw new Error('no assets or tags')
  const path = `${toPath(asset, pick(walk, ['d0', 'd1']))}/assigned-tags/${toId(tag, pick(walk, ['d0', 'd1']))}`
  return await send(walk, pick(walk, ['PUT', 'PUT', 'DELETE']), path)
}

const renameTag: Step = async (walk) => {
  const [from, to] = [pick(walk, ['d0', 'd1']), pick(walk, ['d0', 'd1'])]
  await walk.world.asPerson('Uo', 'POST', '/ui/tags/rename', { body: { from, to } })
}

const results: string[] = []

const reportTests: Step = async (walk) => {
  const body = { dataContractId: pick(walk, ['d0', 'd1']), result: 'passed', checks: [] }
  const answer = await send(walk, 'POST', '/api/test-results', body)
  if (answer.ok) results.push(((await answer.json()) as { id: string }).id)
}

const deleteTests: Step = async (walk) => {
  const id = results.pop()
  if (id !== undefined) await send(walk, 'DELETE', `/api/test-results/${id}`)
}

const putPlainRecord: Step = (walk) => {
  const kind = pick(walk, PLAIN_RECORDS)
  const id = pick(walk, ['r0', 'r1'])
  const body = buildPlainRecord(kind, id, pick(walk, PRODUCTS))
  const path = toPlainPath(kind, id, pick(walk, TEAMS))
  if (kind.kind === 'cost') return send(walk, 'POST', toPlainPath(kind), body)
  return send(walk, 'PUT', path, body)
}

const deletePlainRecord: Step = (walk) => {
  const kind = pick(walk, PLAIN_RECORDS)
  return send(walk, 'DELETE', toPlainPath(kind, pick(walk, ['r0', 'r1']), pick(walk, TEAMS)))
}

const addWebhook: Step = (walk) =>
  send(walk, 'POST', '/api/webhooks', {
    name: 'Endpoint',
    url: 'https://192.0.2.1/hook',
    teamId: pick(walk, TEAMS),
    enabled: false,
  })

const addKey: Step = (walk) =>
  send(walk, 'POST', '/api/api-keys', { scope: 'team', teamId: pick(walk, TEAMS) })

const join: Step = async (walk) => {
  const { services, organizationId } = walk.world
  const email = `${uniqueId()}@example.test`
  const person = { email, passwordHash: 'none', role: 'Owner' } as const
  walk.people.push(await addMember(services.db, organizationId, person))
}

const invite: Step = async ({ world: { services, call }, people: [inviter] }) => {
  if (inviter === undefined) return
  const headers = withSession(await newSession(services.db, services.clock, inviter))
  const body = { email: `${uniqueId()}@example.test`, role: 'Member' }
  await call('POST', '/ui/invitations', { headers, body })
}

const leave: Step = async (walk) => {
  const userId = walk.people.shift()
  if (userId === undefined) return
  await expectOk(walk.world.asPerson('Uo', 'DELETE', `/ui/members/${userId}`))
}

const request: Step = async (walk) => {
  const id = uniqueId()
  const person = walk.people.length === 0 ? [] : [{ userId: pick(walk, walk.people) }]
  const consumers = [{ teamId: pick(walk, TEAMS) }, { dataProductId: pick(walk, PRODUCTS) }]
  const { day } = walk
  const answer = await send(walk, 'PUT', `/api/access/${id}`, {
    info: {
      purpose: 'Reports',
      ...(walk.random() < 0.3 && { startDate: toDay(day + 2) }),
      ...(walk.random() < 0.5 && { endDate: toDay(day + 4) }),
      ...(walk.random() < 0.5 && { nextReassessmentDate: toDay(day + 3) }),
    },
    provider: { dataProductId: pick(walk, PRODUCTS), outputPortId: pick(walk, ['out', 'more']) },
    consumer: pick(walk, [...consumers, ...person]),
  })
  if (answer.ok) walk.agreements.push(`/api/access/${id}`)
}

const onAgreement =
  (method: string, end: string, body?: object): Step =>
  async (walk) => {
    if (walk.agreements.length === 0) return
    await send(walk, method, `${pick(walk, walk.agreements)}${end}`, body)
  }

const amend: Step = async (walk) => {
  if (walk.agreements.length === 0) return
  const path = pick(walk, walk.agreements)
  const answer = await send(walk, 'GET', path)
  if (!answer.ok) return
  const seen = (await answer.json()) as { info: object }
  const info = { ...seen.info, purpose: uniqueId(), endDate: toDay(walk.day + 5) }
  await send(walk, 'PUT', path, { ...seen, info })
}

const pass: Step = async (walk) => {
  walk.day += 1
  const clock = fixedClock(`${toDay(walk.day)}T00:00:01.000000Z`)
  await advanceDueAgreements({ db: walk.world.services.db, clock })
}

// Each with its weight.
const STEPS: readonly (readonly [Step, number])[] = [
  [putProduct, 6],
  [deleteProduct, 2],
  [putDocument, 8],
  [deleteDocument, 4],
  [putTeam, 4],
  [deleteTeam, 3],
  [assignTag, 4],
  [renameTag, 2],
  [reportTests, 2],
  [deleteTests, 1],
  [putPlainRecord, 4],
  [deletePlainRecord, 1],
  [addWebhook, 1],
  [addKey, 1],
  [join, 2],
  [invite, 1],
  [leave, 1],
  [request, 8],
  [onAgreement('POST', '/approve'), 8],
  [onAgreement('POST', '/reject'), 1],
  [onAgreement('POST', '/cancel'), 2],
  [onAgreement('DELETE', ''), 2],
  [onAgreement('POST', '/provisioning/provisioning-started', {}), 1],
  [onAgreement('POST', '/provisioning/provisioning-succeeded', {}), 1],
  [onAgreement('POST', '/provisioning/deprovisioning-failed', {}), 1],
  [amend, 3],
  [pass, 2],
]

const SHARES = STEPS.flatMap(([step, weight]) => Array.from({ length: weight }, () => step))

/** Makes random steps, and then deletes what can be deleted, so that all kinds of ends occur. */
export async function walkRandomly(world: World, random: Random, steps: number): Promise<void> {
  const walk: Walk = { world, random, people: [], agreements: [], day: 0 }
  for (let done = 0; done < steps; done += 1) await pick(walk, SHARES)(walk)
  for (const path of walk.agreements) await send(walk, 'POST', `${path}/cancel`)
  while (walk.people.length > 0) await leave(walk)
  for (const id of PRODUCTS) await send(walk, 'DELETE', `/api/dataproducts/${id}`)
  for (const kind of TESTED_KINDS) {
    for (const id of ['d0', 'd1']) await send(walk, 'DELETE', toPath(kind, id))
  }
  for (const id of TEAMS) await send(walk, 'DELETE', `/api/teams/${id}`)
}
