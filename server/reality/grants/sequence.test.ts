import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import {
  addIdentity,
  addPorts,
  addReading,
  addTables,
  compare,
  listFindings,
  hoursAgo,
  newAccessWorld,
  toTable,
} from '../../../test/access-rows.ts'
import { newRandom, type Random } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'
import { fixedClock, type Instant } from '../../platform/kit/clock.ts'
import type { IntegrationKey, ReadingEnd } from './grants.ts'
import { publishGrants, stageGrants } from './staging-service.ts'

const STEPS = 25
const SCHEMAS = ['even', 'odd']
const TABLES = [0, 1, 2, 3]
const READERS = ['reader0', 'reader1', 'reader2']
const NAMES = [...READERS, 'role']

/** The grants of a source, or those that the catalog has: `name table`, and names with the role. */
interface Grants {
  held: Set<string>
  members: Set<string>
}

/** The parts of a source that one run reads. */
interface Reading {
  /** Schemas that were read to their end. */
  whole: string[]
  /** Schemas that were read at least in part. */
  begun: string[]
  isMembersWhole: boolean
  isMembersBegun: boolean
  membersMessage: string | undefined
}

const COMPLETE: Reading = {
  whole: SCHEMAS,
  begun: SCHEMAS,
  isMembersBegun: true,
  isMembersWhole: true,
  membersMessage: undefined,
}

const toRole = (name: string): { kind: string; name: string } => ({ kind: 'role', name })
const getSchema = (table: number): string => SCHEMAS[table % 2] ?? ''
const getTable = (line: string): number => Number(line.split(' ')[1])

function change(source: Grants, random: Random): void {
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)]
  for (let at = 0; at < 2; at += 1) {
    const line = `${pick(NAMES)} ${pick(TABLES)}`
    if (!source.held.delete(line)) source.held.add(line)
  }
  const member = pick(READERS) ?? ''
  if (random() < 0.4 && !source.members.delete(member)) source.members.add(member)
}

function chooseReading(random: Random): Reading {
  const begun = SCHEMAS.filter(() => random() < 0.8)
  const isMembersBegun = random() < 0.8
  return {
    begun,
    whole: begun.filter(() => random() < 0.7),
    isMembersBegun,
    isMembersWhole: isMembersBegun && random() < 0.7,
    membersMessage: random() < 0.3 ? 'There may be others.' : undefined,
  }
}

async function read(
  { services: { db } }: World,
  key: IntegrationKey,
  source: Grants,
  reading: Reading,
  at: Instant,
): Promise<void> {
  const { whole, begun, isMembersBegun, isMembersWhole, membersMessage } = reading
  const claim = { ...key, runId: randomUUID(), fence: 1 }
  await stageGrants(db, claim, {
    grants: [...source.held]
      .filter((line) => begun.includes(getSchema(getTable(line))))
      .map((line) => ({
        path: toTable(`t${getTable(line)}`, getSchema(getTable(line))),
        grantee: toRole(line.split(' ')[0] ?? ''),
        privilege: 'SELECT',
        effect: 'read',
        withGrant: false,
      })),
    members: isMembersBegun
      ? [...source.members].map((name) => ({
          role: toRole('role'),
          member: toRole(name),
          isInherited: true,
          isSettable: true,
        }))
      : [],
    outcomes: whole.map((schema) => ({ path: ['db', schema], isWhole: true })),
  })
  const end: ReadingEnd = {
    incompleteBecause: null,
    hasRead: whole.length > 0,
    beganAt: at,
    membersBecause: isMembersWhole ? (membersMessage ?? null) : undefined,
    gates: [],
    delayHours: 0,
  }
  await db.transaction().execute(async (transaction) => {
    await publishGrants(transaction, fixedClock(at), claim, end)
  })
}

// What is gone is known only after all memberships were read, too.
function remember(catalog: Grants, source: Grants, reading: Reading): void {
  const { whole, begun, isMembersBegun, isMembersWhole } = reading
  if (isMembersWhole) {
    catalog.members.clear()
    for (const line of catalog.held) {
      if (whole.includes(getSchema(getTable(line)))) catalog.held.delete(line)
    }
  }
  for (const name of isMembersBegun ? source.members : []) catalog.members.add(name)
  for (const line of source.held) {
    if (begun.includes(getSchema(getTable(line)))) catalog.held.add(line)
  }
}

function foresee({ held, members }: Grants, reading: Reading): string[] {
  const { whole, isMembersWhole } = reading
  return TABLES.flatMap((table) => {
    const isRead = isMembersWhole && whole.includes(getSchema(table))
    return READERS.filter(
      (name) => held.has(`${name} ${table}`) || (members.has(name) && held.has(`role ${table}`)),
    ).map((name) => `port_${table} ${name} ${isRead}`)
  }).toSorted()
}

describe('readings of grants one after another', () => {
  onStore((store) => {
    let world: World
    before(async () => {
      world = await newAccessWorld(store())
    })

    test('opens what was seen, and resolves only what a complete reading does not show', async () => {
      for (const seed of [1, 2, 3]) {
        const random = newRandom(seed)
        const key = await addReading(world, { readAt: hoursAgo(STEPS + 2) })
        const paths = TABLES.map((table) => toTable(`t${table}`, getSchema(table)))
        const assets = await addTables(world, key, paths)
        await addPorts(
          world,
          assets.map((id) => [id]),
        )
        for (const name of READERS) await addIdentity(world, key, name, { kind: 'team', id: 'b' })
        const source: Grants = { held: new Set(), members: new Set() }
        const catalog: Grants = { held: new Set(), members: new Set() }
        for (let step = 0; step < STEPS; step += 1) {
          change(source, random)
          const reading = chooseReading(random)
          await read(world, key, source, reading, hoursAgo(STEPS + 1 - step))
          remember(catalog, source, reading)
          await compare(world, key)
          const rows = await listFindings(world, key)
          const open = rows.filter(({ resolvedBecause }) => resolvedBecause === null)
          const lines = open.map(({ port, grantee, isRead }) => `${port} ${grantee} ${isRead}`)
          assert.deepEqual(
            lines.toSorted(),
            foresee(catalog, reading),
            `seed ${seed}, step ${step}`,
          )
        }
        await read(world, key, source, COMPLETE, hoursAgo(0))
        await compare(world, key)
        const rows = await listFindings(world, key)
        assert.ok(rows.every(({ isRead, resolvedBecause }) => isRead || resolvedBecause !== null))
      }
    })
  })
})
