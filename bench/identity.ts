import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { openPlace } from './database-place.ts'
import { timesRow, type Figure, type Row } from './figure.ts'
import {
  addDirectory,
  addGroups,
  addMember,
  type BenchMember,
  type DirectorySize,
} from './identity-rows.ts'
import { measureProvisioning, measureSignIns } from './identity-requests.ts'
import { compare, toSpread } from './rounds.ts'
import { startProduct, type RunningServer } from './servers.ts'
import {
  createBootstrapEnvironment,
  putTeam,
  type ProductPlace,
  type ServerKind,
  type Stage,
} from './stage.ts'

const NAME = 'identity'
const DIRECTORY: DirectorySize = { members: 1000, groups: 100 }
/** The largest multiple of the time of a request without memberships. */
const MEMBERSHIPS_TIMES_MAX = 1.15
const GROUPS = { large: 10_000, small: 10 }
/** The largest multiple of the time in a small group. */
const GROUP_TIMES_MAX = 1.5
const CHANGES_COUNT = 60
const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** The cost of what a provider and a directory add: memberships, changes of large groups, sign-ins, provisioning. */
export const identity: Figure = {
  name: NAME,
  title: 'people with roles from groups, sign-ins with a provider, and provisioning',
  async *measure(stage) {
    await stage.clear()
    for (const kind of stage.serverKinds) {
      yield* measureMemberships(stage, kind)
      yield* measureGroups(stage, kind)
      yield* measureSignIns(stage, kind)
      yield* measureProvisioning(stage, kind)
    }
  },
}

async function* measureMemberships(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const [large, small] = [await startFilled(stage, kind), await startFilled(stage, kind)]
  try {
    await inDatabase(large.place, (db) => addDirectory(db, DIRECTORY, large.member))
    const comparison = await compare(
      stage,
      { server: large.product, kind: 'get', key: large.member.key },
      { server: small.product, kind: 'get', key: small.member.key },
    )
    const count = (DIRECTORY.members * DIRECTORY.groups).toLocaleString('en')
    yield timesRow(
      `${NAME}: GET beside ${count} memberships`,
      kind,
      comparison,
      MEMBERSHIPS_TIMES_MAX,
    )
  } finally {
    for (const { product } of [large, small]) await product.stop()
  }
}

async function* measureGroups(stage: Stage, kind: ServerKind): AsyncGenerator<Row> {
  const { product, place } = await startEmpty(stage, kind)
  try {
    const { key, large, small, userId } = await inDatabase(place, (db) => addGroups(db, GROUPS))
    const measure = async (group: string): Promise<number> =>
      await timeChange(`${product.url}/api/scim/v2/Groups/${group}`, key, userId)
    for (const group of [large, small]) await measure(group)
    const rounds: { large: number; small: number }[] = []
    for (let round = 0; round < CHANGES_COUNT; round += 1) {
      rounds.push({ large: await measure(large), small: await measure(small) })
    }
    const median = (pick: (round: (typeof rounds)[number]) => number): number =>
      toSpread(rounds.map(pick)).median
    const times = { large: median((one) => one.large), small: median((one) => one.small) }
    const ratio = times.large / times.small
    yield {
      figure: `${NAME}: PATCH of a group of ${GROUPS.large.toLocaleString('en')}`,
      server: kind,
      subject: `${times.large.toFixed(1)} ms to add and remove a member`,
      limit: `${times.small.toFixed(1)} ms in a group of ${GROUPS.small}`,
      result: { median: ratio, least: ratio, greatest: ratio },
      unit: 'times',
      goal: GROUP_TIMES_MAX,
      measured: rounds,
    }
  } finally {
    await product.stop()
  }
}

/** Adds a member to a group and removes it again. Returns the milliseconds of both. */
async function timeChange(url: string, key: string, userId: string): Promise<number> {
  const startedAtMs = performance.now()
  for (const Operations of [
    [{ op: 'Add', path: 'members', value: [{ value: userId }] }],
    [{ op: 'Remove', path: `members[value eq "${userId}"]` }],
  ]) {
    const answer = await fetch(url, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ schemas: [PATCH_SCHEMA], Operations }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
  }
  return performance.now() - startedAtMs
}

/** A product with all documents, and a member of it. */
interface FilledProduct {
  product: RunningServer
  place: ProductPlace
  member: BenchMember
}

async function startEmpty(
  stage: Stage,
  kind: ServerKind,
): Promise<Pick<FilledProduct, 'product' | 'place'>> {
  const place = await stage.newPlace(kind)
  const environment = { ...place.environment, ...createBootstrapEnvironment(place.keyFile) }
  return { product: await startProduct(environment), place }
}

async function startFilled(stage: Stage, kind: ServerKind): Promise<FilledProduct> {
  const { product, place } = await startEmpty(stage, kind)
  const key = readFileSync(place.keyFile, 'utf8').trim()
  await putTeam(product, key)
  await stage.putEach(product, key)
  return { product, place, member: await inDatabase(place, addMember) }
}

async function inDatabase<Result>(
  { database }: ProductPlace,
  work: (db: Client) => Promise<Result>,
): Promise<Result> {
  const { connection, close } = await openPlace(database)
  const db = new Client(connection)
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
    await close()
  }
}
