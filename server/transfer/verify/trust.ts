import type { PromiseKey } from '../../ledger/promises/promise.ts'
import {
  SIGNALS,
  findSignalAt,
  findWorst,
  toRank,
  type SignalName,
} from '../../ledger/trust/signal.ts'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { TrustState } from '../../reality/trust/state.ts'
import type { RunQuery } from '../cursor.ts'
import { RESTORE, type Check, type Rule, type RuleViolation } from './check.ts'

const TRUST_RULE: Rule = {
  name: 'signals of trust follow from the results, promises, incidents and certifications',
  repair: `run "update trust_state set reasons = '{}', next_due_at = now()" on its database: Portbook judges them again within minutes. If it stays, ${RESTORE}`,
}

const FILTER_RULE: Rule = {
  name: 'search filters by the stored signals of trust',
  repair: TRUST_RULE.repair,
}

const FRESHNESS_RULE: Rule = {
  name: 'the freshness of promises follows from their evidence',
  repair: `save the data contract again, or run its integration. If it stays, ${RESTORE}`,
}

/** The number of resources that are judged at once. */
const JUDGED_AT_ONCE = 200

// More are the same fault.
const UNFOUNDED_MAX = 100

type Judged = 'data-product' | 'data-contract' | 'asset'

const KINDS = ['data-product', 'data-contract', 'asset'] as const satisfies Judged[]

const NAMES: Readonly<Record<Judged | 'output-port', string>> = {
  'data-product': 'data product',
  'data-contract': 'data contract',
  asset: 'asset',
  'output-port': 'output port',
}

/** Judges resources without storing their signals. */
type JudgeResources = (
  db: Database,
  clock: Clock,
  organizationId: string,
  subjects: Record<'products' | 'contracts' | 'assets', readonly string[]>,
) => Promise<TrustState[]>

/** Lists the promises of contracts whose stored freshness does not follow from their evidence. */
type ListOutdated = (
  db: Database,
  clock: Clock,
  organizationId: string,
  selection: { contractIds: readonly string[] },
) => Promise<(PromiseKey & { stored: object | null; expected: object | null })[]>

/**
 * Creates a check that judges every resource with stored signals again, and compares the levels by which search filters. Those
 * that are due are left to the upkeep.
 */
export function newTrustCheck(judge: JudgeResources): Check {
  return {
    rules: [TRUST_RULE, FILTER_RULE],
    async *findings(run, db) {
      for (const organization of await listOrganizations(run)) {
        for (const text of await listUnfounded(run, organization.id))
          yield newViolation(FILTER_RULE, organization, text)
        for (const kind of KINDS) {
          for await (const ids of listSubjects(run, organization.id, kind)) {
            const list = (one: Judged): readonly string[] => (one === kind ? ids : [])
            const judged = await judge(db, storeClock, organization.id, {
              products: list('data-product'),
              contracts: list('data-contract'),
              assets: list('asset'),
            })
            const rows = await listRows(run, organization.id, kind, ids)
            for (const text of examineTrust(rows, judged))
              yield newViolation(TRUST_RULE, organization, text)
            for (const text of rows.flatMap(examineFilters))
              yield newViolation(FILTER_RULE, organization, text)
          }
        }
      }
    },
  }
}

/** Creates a check that judges every promise of freshness again. Those that are due are left to the upkeep. */
export function newFreshnessCheck(listOutdated: ListOutdated): Check {
  return {
    rules: [FRESHNESS_RULE],
    async *findings(run, db) {
      for (const organization of await listOrganizations(run)) {
        for await (const contractIds of listPromising(run, organization.id)) {
          const outdated = await listOutdated(db, storeClock, organization.id, { contractIds })
          for (const { contractId, server, model, stored, expected } of outdated) {
            const text = `data contract "${contractId}": ${model} on ${server} is ${JSON.stringify(stored)}, but its evidence is ${JSON.stringify(expected)}`
            yield newViolation(FRESHNESS_RULE, organization, text)
          }
        }
      }
    },
  }
}

interface Organization {
  id: string
  name: string
}

async function listOrganizations(run: RunQuery): Promise<Organization[]> {
  return await run<Organization>('select id, name from organization order by id')
}

function newViolation(rule: Rule, { name }: Organization, text: string): RuleViolation {
  return { rule, text: `${text} (organization ${name})` }
}

async function* listSubjects(
  run: RunQuery,
  organizationId: string,
  kind: Judged,
): AsyncGenerator<string[]> {
  yield* listIds(
    run,
    `select subject as id
     from trust_state
     where organization_id = $1 and kind = '${kind}' and subject > $2
     order by subject
     limit ${JUDGED_AT_ONCE}`,
    organizationId,
  )
}

async function* listPromising(run: RunQuery, organizationId: string): AsyncGenerator<string[]> {
  yield* listIds(
    run,
    `select distinct contract_id as id
     from contract_promise
     where organization_id = $1 and freshness is not null and contract_id > $2
     order by contract_id
     limit ${JUDGED_AT_ONCE}`,
    organizationId,
  )
}

async function* listIds(
  run: RunQuery,
  statement: string,
  organizationId: string,
): AsyncGenerator<string[]> {
  let after = ''
  for (;;) {
    const rows = await run<{ id: string }>(statement, [organizationId, after])
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.map(({ id }) => id)
    after = last.id
  }
}

interface StoredRow {
  kind: Judged | 'output-port'
  subject: string
  reasons: Partial<Record<SignalName, StoredSignal[]>>
  /** The stored ranks of the signals, in their order. */
  ranks: number[]
  /** The ranks of the worst signal and of drift in the index; null = it has no entry, or it is still to be written. */
  entry: number[] | null
  /** Whether it is judged again soon, because another transaction was writing the index entry. */
  isRepeated: boolean
  nowMs: number
}

type StoredSignal = Parameters<typeof findSignalAt>[0] extends readonly (infer One)[] | undefined
  ? One
  : never

const describe = ({ kind, subject }: StoredRow): string => `${NAMES[kind]} ${subject}`

function examineTrust(rows: readonly StoredRow[], judged: readonly TrustState[]): string[] {
  const expected = new Map(judged.map((state) => [`${state.kind} ${state.subject}`, state.signals]))
  return rows.flatMap((row) => {
    const signals = expected.get(`${row.kind} ${row.subject}`)
    if (signals === undefined) return row.isRepeated ? [] : [`${describe(row)}: it does not exist`]
    return SIGNALS.flatMap((name) => {
      const [now] = signals[name]
      const stored = toText(findSignalAt(row.reasons[name], row.nowMs))
      return stored === toText(now)
        ? []
        : [`${describe(row)}: ${name} is ${stored}, not ${toText(now)}`]
    })
  })
}

// Levels and entries follow from the stored signals, which another rule compares with their causes.
function examineFilters(row: StoredRow): string[] {
  const levels = SIGNALS.map(
    (name) => findSignalAt(row.reasons[name], row.nowMs)?.state ?? 'neutral',
  )
  const ranks = levels.map(toRank)
  const worst = toRank(findWorst(levels))
  const drift = ranks[SIGNALS.indexOf('drift')] ?? worst
  return [
    ...compareRanks(row, 'its levels are', row.ranks, ranks),
    ...(row.entry === null
      ? []
      : compareRanks(row, 'search has the levels', row.entry, [worst, drift])),
  ]
}

function compareRanks(
  row: StoredRow,
  words: string,
  stored: readonly number[],
  expected: readonly number[],
): string[] {
  if (stored.join() === expected.join()) return []
  return [`${describe(row)}: ${words} ${stored.join()}, not ${expected.join()}`]
}

// Resources without stored signals are neutral.
async function listUnfounded(run: RunQuery, organizationId: string): Promise<string[]> {
  const rows = await run<{ text: string }>(
    `select format('%s %s: search has the levels %s,%s, but it has no signals', kind, external_id, trust, drift) as text
     from search_document as entry
     where organization_id = $1
       and (trust, drift) <> (1, 1)
       and not exists (
         select from trust_state as state
         where state.organization_id = $1 and state.kind = entry.kind and state.subject = entry.external_id
       )
     order by kind, external_id
     limit ${UNFOUNDED_MAX}`,
    [organizationId],
  )
  return rows.map(({ text }) => text)
}

// The ports of data products are stored and judged with them.
async function listRows(
  run: RunQuery,
  organizationId: string,
  kind: Judged,
  ids: readonly string[],
): Promise<StoredRow[]> {
  return await run<StoredRow>(
    `select state.kind, state.subject, state.reasons, (extract(epoch from now()) * 1000)::float8 as "nowMs",
       array[state.tests, state.freshness, state.drift, state.standing] as ranks,
       repeated.is_repeated as "isRepeated",
       case when entry.kind is not null and not repeated.is_repeated
         then array[entry.trust, entry.drift] end as entry
     from trust_state as own
     join trust_state as state on state.organization_id = own.organization_id
       and (
         state.kind = own.kind and state.subject = own.subject
         or own.kind = 'data-product' and state.kind = 'output-port'
           and state.subject >= '[' || to_json(own.subject)::text || ',0'
           and state.subject < '[' || to_json(own.subject)::text || ',:'
       )
     left join search_document as entry on entry.organization_id = state.organization_id
       and entry.kind = state.kind
       and entry.external_id = state.subject
     -- An entry that another transaction was writing is written with the next judgement, ten seconds later.
     cross join lateral (
       select (state.next_due_at <= state.updated_at + interval '10 seconds') is true as is_repeated
     ) as repeated
     where own.organization_id = $1 and own.kind = $2 and own.subject = any($3::text[])
       and own.reasons ? 'tests'
       and (own.next_due_at is null or own.next_due_at > now())`,
    [organizationId, kind, [...ids]],
  )
}

function toText(signal: StoredSignal | undefined): string {
  if (signal === undefined) return 'nothing'
  const { from: _, ...rest } = signal
  return JSON.stringify(
    Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  )
}
