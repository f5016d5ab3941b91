import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  addAccess,
  addGrants,
  addIdentity,
  addMembers,
  addPorts,
  addReading,
  addTables,
  compare,
  listFindings,
  newAccessWorld,
  toTable,
  type GrantRow,
  type MemberRow,
} from '../../../test/access-rows.ts'
import {
  assertForeseen,
  type AccessState,
  type Reader,
  type Rights,
  type TeamAgreement,
} from '../../../test/access-oracle.ts'
import { newRandom, type Random } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'

const ROUNDS = 8
const READERS = 24
const ROLES = 8
const TABLES = 10
const GATE = 2

/** A seeded state of a source, with ports and agreements. */
interface State extends AccessState {
  readers: Reader[]
  grants: Required<Pick<GrantRow, 'name' | 'path' | 'kind' | 'effect' | 'withGrant'>>[]
  members: Required<Omit<MemberRow, 'kind'>>[]
  /** The tables of each port, by position. */
  ports: number[][]
  agreements: TeamAgreement[]
}

const toPath = (table: number): string[] => toTable(`t${table}`, table % 2 === 0 ? 'even' : 'odd')

function buildState(random: Random, userId: string): State {
  const pick = (count: number): number => Math.floor(random() * count)
  const names = [
    ...Array.from({ length: READERS }, (_, at) => `reader${at}`),
    ...Array.from({ length: ROLES }, (_, at) => `role${at}`),
  ]
  const subjects = [
    { kind: 'team', id: 'b' },
    { kind: 'team', id: 'c' },
    { kind: 'team', id: 'a' },
    { kind: 'user', id: userId },
  ]
  const readers = names.slice(0, READERS).flatMap((name) => {
    const subject = subjects[pick(5)]
    return subject === undefined ? [] : [{ name, subject }]
  })
  const effects = ['read', 'read', 'read', 'write', 'deny'] as const
  const grants: State['grants'] = []
  const grantCount = 20 + pick(80)
  for (let at = 0; at < grantCount; at += 1) {
    const table = toPath(pick(TABLES))
    const isPublic = random() < 0.02
    grants.push({
      name: isPublic ? '' : (names[pick(names.length)] ?? ''),
      kind: isPublic ? 'public' : 'role',
      path: random() < 0.12 ? table.slice(0, 1 + pick(2)) : table,
      effect: isPublic ? 'read' : (effects[pick(effects.length)] ?? 'read'),
      withGrant: random() < 0.1,
    })
  }
  for (const name of names) {
    if (random() < 0.3) continue
    const path = ['db', random() < 0.5 ? 'even' : 'odd']
    grants.push({ name, kind: 'role', path, effect: 'use', withGrant: false })
  }
  grants.push({ name: '', kind: 'public', path: ['db', 'even'], effect: 'use', withGrant: false })
  const members = Array.from({ length: 24 }, () => ({
    role: `role${pick(ROLES)}`,
    member: names[pick(names.length)] ?? '',
    isInherited: random() < 0.7,
    isSettable: random() < 0.7,
  }))
  const unique = new Map(members.map((edge) => [`${edge.role} ${edge.member}`, edge]))
  const ports = Array.from({ length: TABLES }, (_, at) => [
    at,
    ...(at % 3 === 0 ? [(at + 1) % TABLES] : []),
  ])
  const agreements = Array.from({ length: 14 }, (_, at) => ({
    id: `agreement${10 + at}`,
    product: 'product',
    port: `port_${pick(TABLES)}`,
    consumer: { team: ['b', 'c'][pick(2)] ?? 'b' },
    began: [5, 60][pick(2)] ?? 5,
    ...(random() < 0.4 && { ended: [2, 50][pick(2)] ?? 2 }),
  }))
  return { readers, grants, members: [...unique.values()], ports, agreements }
}

// Walks step by step through memberships.
function reach(
  members: State['members'],
  start: string,
  by: 'isInherited' | 'isSettable',
): Set<string> {
  const reached = new Set([start])
  for (let size = 0; size < reached.size;) {
    size = reached.size
    for (const edge of members) if (edge[by] && reached.has(edge.member)) reached.add(edge.role)
  }
  return reached
}

/** The rights of a name on a table, by trying each role that it can be. */
function tryAll(state: State, name: string | null, table: number): Rights {
  const path = toPath(table)
  const covers = (one: { path: readonly string[] }): boolean =>
    one.path.every((part, at) => path[at] === part)
  let reads = false
  let isWide = false
  const acting = name === null ? [null] : [...reach(state.members, name, 'isSettable')]
  for (const role of acting) {
    const held = role === null ? new Set<string>() : reach(state.members, role, 'isInherited')
    const own = state.grants.filter(
      (one) => one.kind === 'role' && held.has(one.name) && covers(one),
    )
    const all = [...own, ...state.grants.filter((one) => one.kind === 'public' && covers(one))]
    const isOpen = all.some(({ effect, path: at }) => effect === 'use' && at.length === GATE)
    if (!isOpen) continue
    const isDenied = all.some(({ effect }) => effect === 'deny')
    reads ||= !isDenied && all.some(({ effect }) => effect === 'read')
    isWide ||= own.some(
      (one) =>
        one.effect === 'write' ||
        (one.effect === 'read' && (one.withGrant || one.path.length < path.length)),
    )
  }
  return { reads, isWide }
}

describe('comparison of access', () => {
  onStore((store) => {
    const worlds: World[] = []
    before(async () => {
      for (let at = 0; at < ROUNDS; at += 1) worlds.push(await newAccessWorld(store()))
    })

    test('invents and misses nothing over 500 seeded combinations of grants and agreements', async () => {
      let total = 0
      const kinds = new Set<string>()
      for (const [round, world] of worlds.entries()) {
        await world.as('O', 'PUT', '/api/teams/c', { body: { id: 'c', name: 'Team C' } })
        const state = buildState(newRandom(round + 1), world.userIds.Um)
        const key = await addReading(world, { gates: [GATE] })
        const paths = Array.from({ length: TABLES }, (_, at) => toPath(at))
        const assets = await addTables(world, key, paths)
        const ports = state.ports.map((tables) => tables.map((at) => assets[at] ?? ''))
        await addPorts(world, ports, { id: 'product' })
        for (const agreement of state.agreements) await addAccess(world, agreement)
        await addGrants(world, key, state.grants)
        await addMembers(world, key, state.members)
        for (const { name, subject } of state.readers) await addIdentity(world, key, name, subject)
        await compare(world, key)
        const open = await listFindings(world, key)
        const result = assertForeseen(
          open,
          state,
          (name, table) => tryAll(state, name, table),
          `round ${round}`,
        )
        for (const kind of result.kinds) kinds.add(kind)
        total += result.combinations
        // Again: the same findings, none twice.
        await compare(world, key, 'agreement')
        assert.deepEqual(await listFindings(world, key), open)
      }
      assert.ok(total >= 500, `${total} combinations`)
      assert.equal(kinds.size, 4)
    })
  })
})
