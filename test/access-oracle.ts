/** The rules for findings about access, applied name by name and table by table, to compare the product with. */

import assert from 'node:assert/strict'
import type { AgreementRow } from './access-rows.ts'

/** A name of the platform with the team or person that it means. People are members of team a, the provider. */
export interface Reader {
  name: string
  subject: { kind: string; id: string }
}

/** An agreement of a team about a port; absent times are those of `addAccess`. */
export interface TeamAgreement extends AgreementRow {
  id: string
  port: string
  consumer: { team: string }
}

/** Readers, output ports and agreements. */
export interface AccessState {
  readers: readonly Reader[]
  /** The tables of the ports `port_0`, `port_1` and so on, by position. */
  ports: readonly (readonly number[])[]
  agreements: readonly TeamAgreement[]
}

/** The rights of a name on a table. */
export interface Rights {
  reads: boolean
  /** Whether it can also write, pass the grant on, or has it on more than the table. */
  isWide: boolean
  /** Whether it reads everything by its position. */
  isAdministrator?: boolean
}

/** Returns the rights of a name on a table; null = those of everyone. */
export type GetRights = (name: string | null, table: number) => Rights

/** Describes a finding as a line: kind, port, name, agreement. */
function toLine(kind: string, port: string, name: string, agreement: string | null): string {
  return [kind, port, name, agreement ?? '-'].join(' ')
}

/** Returns the findings as lines, and the number of names, tables and ports that were combined. */
function foreseeAccess(
  state: AccessState,
  getRights: GetRights,
): { expected: string[]; combinations: number } {
  const expected = new Set<string>()
  let combinations = 0
  const tableCount = Math.max(...state.ports.flat()) + 1
  for (let table = 0; table < tableCount; table += 1) {
    const ports = state.ports.flatMap((tables, at) =>
      tables.includes(table) ? [`port_${at}`] : [],
    )
    const isPublic = getRights(null, table).reads
    for (const port of isPublic ? ports : []) {
      expected.add(toLine('granted_without_agreement', port, '', null))
    }
    for (const reader of state.readers) {
      combinations += ports.length
      const rights = getRights(reader.name, table)
      if (rights.isAdministrator === true) continue
      const lines = judgeReader(state, { reader, ports, rights, isPublic })
      for (const line of lines) expected.add(line)
    }
  }
  for (const line of judgeAgreements(state, getRights)) expected.add(line)
  return { expected: [...expected].toSorted(), combinations }
}

/** An open finding, as a grant world lists it. */
interface OpenFinding {
  kind: string
  port: string
  grantee: string
  agreement: string | null
}

/**
 * Checks that exactly the findings of a state are open; `message` names it. Returns their kinds, and the number of names,
 * tables and ports that were combined.
 */
export function assertForeseen(
  open: readonly OpenFinding[],
  state: AccessState,
  getRights: GetRights,
  message: string,
): { kinds: string[]; combinations: number } {
  const { expected, combinations } = foreseeAccess(state, getRights)
  const lines = open.map(({ kind, port, grantee, agreement }) =>
    toLine(kind, port, grantee, agreement),
  )
  assert.deepEqual(lines.toSorted(), expected, message)
  return { kinds: open.map(({ kind }) => kind), combinations }
}

// The person is a member of team a.
function isOfTeam({ subject }: Reader, team: string): boolean {
  return subject.kind === 'team' ? subject.id === team : team === 'a'
}

function judgeReader(
  { agreements }: AccessState,
  {
    reader,
    ports,
    rights: { reads, isWide },
    isPublic,
  }: { reader: Reader; ports: string[]; rights: Rights; isPublic: boolean },
): string[] {
  const own = agreements.filter(
    ({ port, consumer }) => ports.includes(port) && isOfTeam(reader, consumer.team),
  )
  const active = own.filter(({ ended }) => ended === undefined)
  if (active.length > 0) {
    // The first one of a port by its id.
    const byPort = new Map(active.toReversed().map((one) => [one.port, one]))
    return [...(isWide ? byPort.values() : [])].map(({ id, port }) =>
      toLine('wider_than_agreed', port, reader.name, id),
    )
  }
  if (!reads || isPublic || isOfTeam(reader, 'a')) return []
  if (own.length === 0) {
    return ports.map((port) => toLine('granted_without_agreement', port, reader.name, null))
  }
  return ports.flatMap((port) => {
    const [last] = own
      .filter((one) => one.port === port)
      .toSorted((a, b) => (a.ended ?? 0) - (b.ended ?? 0))
    if (last?.ended === undefined || last.ended <= 24) return []
    return [toLine('still_granted', port, reader.name, last.id)]
  })
}

function judgeAgreements(
  { readers, ports, agreements }: AccessState,
  getRights: GetRights,
): string[] {
  return agreements.flatMap(({ id, port, consumer, ended, began = 0 }) => {
    if (ended !== undefined || began <= 24) return []
    const tables = ports[Number(port.slice('port_'.length))] ?? []
    const names = readers.flatMap(({ name, subject }) =>
      subject.kind === 'team' && subject.id === consumer.team ? [name] : [],
    )
    const hasPath = tables.some((table) =>
      [...names, null].some((name) => getRights(name, table).reads),
    )
    return names.length > 0 && !hasPath ? [toLine('agreement_without_grant', port, '', id)] : []
  })
}
