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
  type AgreementRow,
  type GrantRow,
  type MemberRow,
} from '../../../test/access-rows.ts'
import { newRandom, type Random } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import type { World } from '../../../test/world.ts'

const ROUNDS = 8
const READERS = 24
const ROLES = 8
const TABLES = 10
const GATE = 2

/** A name of the platform with the team or person that it means. */
interface Reader {
  name: string
  subject: { kind: string; id: string }
}

/** A seeded state of a source, with ports and agreements. */
interface State {
  readers: Reader[]
  grants: Required<Pick<GrantRow, 'name' | 'path' | 'kind' | 'effect' | 'withGrant'>>[]
  members: Required<Omit<MemberRow, 'kind'>>[]
  /** The tables of each port, by position. */
  ports: number[][]
  agreements: (AgreementRow & { id: string; port: string; consumer: { team: string } })[]
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

/** A finding as a line: kind, port, name, agreement. */
function toLine(kind: string, port: string, name: string, agreement: string | null): string {
  return [kind, port, name, agreement ?? '-'].join(' ')
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
function tryAll(
  state: State,
  name: string | null,
  table: number,
): { reads: boolean; isWide: boolean } {
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

// The person is a member of team a.
function isMember({ subject }: Reader, team: string): boolean {
  return subject.kind === 'team' ? subject.id === team : team === 'a'
}

// Applies the rules to each name, table and port, without groups.
function foresee(state: State): { expected: Set<string>; combinations: number } {
  const expected = new Set<string>()
  let combinations = 0
  const findPorts = (table: number): string[] =>
    state.ports.flatMap((tables, at) => (tables.includes(table) ? [`port_${at}`] : []))
  for (let table = 0; table < TABLES; table += 1) {
    const ports = findPorts(table)
    const everyone = tryAll(state, null, table).reads
    if (everyone) {
      for (const port of ports) expected.add(toLine('granted_without_agreement', port, '', null))
    }
    for (const reader of state.readers) {
      combinations += ports.length
      const { reads, isWide } = tryAll(state, reader.name, table)
      const own = state.agreements.filter(
        ({ port, consumer }) => ports.includes(port) && isMember(reader, consumer.team),
      )
      const active = own.filter(({ ended }) => ended === undefined)
      if (active.length > 0) {
        const byPort = new Map(active.toReversed().map((one) => [one.port, one]))
        for (const { id, port } of isWide ? byPort.values() : []) {
          expected.add(toLine('wider_than_agreed', port, reader.name, id))
        }
        continue
      }
      if (!reads || everyone || isMember(reader, 'a')) continue
      if (own.length === 0) {
        for (const port of ports) {
          expected.add(toLine('granted_without_agreement', port, reader.name, null))
        }
        continue
      }
      for (const port of ports) {
        const [last] = own
          .filter((one) => one.port === port)
          .toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0))
        if (last?.ended === undefined || last.ended <= 24) continue
        expected.add(toLine('still_granted', port, reader.name, last.id))
      }
    }
  }
  for (const { id, port, consumer, ended, began = 0 } of state.agreements) {
    if (ended !== undefined || began <= 24) continue
    const tables = state.ports[Number(port.slice(5))] ?? []
    const names = state.readers.filter(
      ({ subject }) => subject.kind === 'team' && subject.id === consumer.team,
    )
    const hasPath = tables.some((table) =>
      [...names.map(({ name }) => name), null].some((name) => tryAll(state, name, table).reads),
    )
    if (names.length > 0 && !hasPath) expected.add(toLine('agreement_without_grant', port, '', id))
  }
  return { expected, combinations }
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
        const found = await listFindings(world, key)
        const lines = found.map(({ kind, port, grantee, agreement }) =>
          toLine(kind, port, grantee, agreement),
        )
        const { expected, combinations } = foresee(state)
        assert.deepEqual(lines.toSorted(), [...expected].toSorted())
        for (const { kind } of found) kinds.add(kind)
        total += combinations
        // Again: the same findings, none twice.
        await compare(world, key, 'agreement')
        assert.deepEqual(await listFindings(world, key), found)
      }
      assert.ok(total >= 500, `${total} combinations`)
      assert.equal(kinds.size, 4)
    })
  })
})
