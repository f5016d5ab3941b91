import { KINDS } from '../../platform/kinds.ts'
import {
  judgeContractDrift,
  judgeDrift,
  listAcceptanceEnds,
  notCompared,
  summarizePortDrift,
} from './drift-signal.ts'
import {
  judgeContractFreshness,
  judgeFreshness,
  listLateTimes,
  summarizePortFreshness,
  unknown,
} from './freshness-signal.ts'
import { mergePeriods, type OpenPeriod } from './kept.ts'
import type { IncidentRow, PromiseFacts, TrustedAsset, TrustFacts, TrustRow } from './facts.ts'
import { judgeIncidents, judgePortStanding, judgeStanding } from './standing-signal.ts'
import {
  judgeOverTime,
  listNextChanges,
  toPortSubject,
  type TrustKey,
  type TrustState,
} from './state.ts'
import { findWorstSignal } from './port-summary.ts'
import {
  judgeTests,
  listStaleTimes,
  notTested,
  summarizePortTests,
  type ServerResult,
} from './tests-signal.ts'
import type { TrustSignals, StandingSignal, TestsSignal } from './trust.ts'

// Judges data products with their output ports, data contracts and assets from the facts about them.

interface JudgeContext {
  nowMs: number
  promises: ReadonlyMap<string, PromiseFacts[]>
  incidents: ReadonlyMap<string, IncidentRow[]>
}

/** Judges all resources of the facts. Those that do not exist are left out. */
export function judgeTrust(facts: TrustFacts): TrustState[] {
  const context = {
    nowMs: facts.nowMs,
    promises: Map.groupBy(facts.promises, ({ contractId }) => contractId),
    incidents: Map.groupBy(facts.incidents, ({ contractId }) => contractId),
  }
  const documents = groupBy(facts.rows, ({ kind, id }) => `${kind}/${id}`)
  const links = Map.groupBy(facts.promises, ({ assetId }) => assetId)
  const contracts = Map.groupBy(
    facts.rows.filter(({ kind }) => kind === 'data-contract'),
    ({ id }) => id,
  )
  return [
    ...documents.flatMap(({ first, all }) =>
      first.kind === 'data-contract'
        ? [judgeContract(context, first, all)]
        : judgeProduct(context, first, all),
    ),
    ...facts.assets.map((asset) =>
      judgeAsset(context, asset, links.get(asset.id) ?? [], contracts),
    ),
  ]
}

/** A resource to judge over time: its signals at a time, and the times at which they may change. */
interface Judged {
  key: TrustKey
  changesMs: number[]
  judge: (atMs: number) => TrustSignals
  periods: OpenPeriod[]
}

function toState({ nowMs }: JudgeContext, { key, changesMs, judge, periods }: Judged): TrustState {
  const changes = listNextChanges(nowMs, changesMs)
  const [next] = changes
  const at = new Map<number, TrustSignals>()
  const judgeOnce = (ms: number): TrustSignals => {
    const signals = at.get(ms) ?? judge(ms)
    at.set(ms, signals)
    return signals
  }
  return {
    ...key,
    signals: {
      tests: judgeOverTime(nowMs, changes, (ms) => judgeOnce(ms).tests),
      freshness: judgeOverTime(nowMs, changes, (ms) => judgeOnce(ms).freshness),
      drift: judgeOverTime(nowMs, changes, (ms) => judgeOnce(ms).drift),
      standing: judgeOverTime(nowMs, changes, (ms) => judgeOnce(ms).standing),
    },
    periods,
    nextDueAt: next === undefined ? null : new Date(next).toISOString(),
  }
}

/** The signals of a contract without its standing, and when they may change. */
interface JudgedContract {
  changesMs: number[]
  judge: (atMs: number) => Pick<TrustSignals, 'freshness' | 'drift'>
  incidents: readonly IncidentRow[]
}

const toContractPage = (id: string): string => toPage(KINDS['data-contract'].pages, id)
const toRealityPage = (id: string): string => `${toContractPage(id)}?view=reality`

function judgeReality(context: JudgeContext, id: string): JudgedContract {
  const promises = context.promises.get(id) ?? []
  const url = toRealityPage(id)
  return {
    changesMs: [...listLateTimes(promises), ...listAcceptanceEnds(promises)],
    judge: (ms) => ({
      freshness: judgeContractFreshness(promises, toInstant(ms), url),
      drift: judgeContractDrift(promises, ms, url),
    }),
    incidents: context.incidents.get(id) ?? [],
  }
}

function judgeContract(
  context: JudgeContext,
  first: TrustRow,
  rows: readonly TrustRow[],
): TrustState {
  const reality = judgeReality(context, first.id)
  const results = rows.map(toServerResult)
  const standing = judgeWithIncidents(judgeDocument(first), reality.incidents)
  return toState(context, {
    key: { kind: 'data-contract', subject: first.id },
    changesMs: [...listStaleTimes(results, first), ...reality.changesMs],
    judge: (ms) => ({ tests: judgeRows(results, first, ms), standing, ...reality.judge(ms) }),
    periods: toPeriods(context, reality.incidents),
  })
}

interface JudgedPort {
  name: string
  position: number
  changesMs: number[]
  judge: (atMs: number) => TrustSignals
  incidents: readonly IncidentRow[]
}

function judgeProduct(
  context: JudgeContext,
  first: TrustRow,
  rows: readonly TrustRow[],
): TrustState[] {
  const own = judgeDocument(first)
  const tested = rows.filter(({ port }) => port !== null)
  const ports = groupBy(tested, ({ port }) => `${port}`).map(({ first: port, all }) =>
    judgePort(context, port, all, own),
  )
  const incidents = [...new Set(ports.flatMap((port) => port.incidents))]
  const standing = judgeWithIncidents(own, incidents)
  const product = toState(context, {
    key: { kind: 'data-product', subject: first.id },
    changesMs: ports.flatMap(({ changesMs }) => changesMs),
    judge: (ms) => {
      const judged = ports.map(({ name, judge }) => ({ name, signals: judge(ms) }))
      const list = <Name extends keyof TrustSignals>(signal: Name) =>
        judged.map(({ name, signals }) => ({ name, signal: signals[signal] }))
      return {
        tests: summarizePortTests(list('tests')),
        freshness: summarizePortFreshness(list('freshness')),
        drift: summarizePortDrift(list('drift')),
        standing,
      }
    },
    periods: toPeriods(context, incidents),
  })
  const states = ports.map(({ position, changesMs, judge }) =>
    toState(context, {
      key: { kind: 'output-port', subject: toPortSubject(first.id, position) },
      changesMs,
      judge,
      periods: [],
    }),
  )
  return [product, ...states]
}

const NO_CONTRACT_REASON = 'It has no data contract.'
const NO_CONTRACT = {
  freshness: unknown(NO_CONTRACT_REASON, null),
  drift: notCompared(NO_CONTRACT_REASON, null),
}

function judgePort(
  context: JudgeContext,
  first: TrustRow,
  rows: readonly TrustRow[],
  product: StandingSignal,
): JudgedPort {
  const { contractId, portStatus, contractStatus, port, portName } = first
  const results = contractId === null ? [] : rows.map(toServerResult)
  const reality = contractId === null ? undefined : judgeReality(context, contractId)
  const own = judgePortStanding(product, { portStatus, contractStatus })
  const standing = judgeWithIncidents(own, reality?.incidents ?? [])
  return {
    name: portName ?? '',
    position: port ?? 0,
    changesMs: [...listStaleTimes(results, first), ...(reality?.changesMs ?? [])],
    judge: (ms) => ({
      tests: judgeRows(results, first, ms),
      standing,
      ...(reality?.judge(ms) ?? NO_CONTRACT),
    }),
    incidents: reality?.incidents ?? [],
  }
}

// The tests and incidents of an asset are those of the contracts and servers that are linked with it.
function judgeAsset(
  context: JudgeContext,
  asset: TrustedAsset,
  links: readonly PromiseFacts[],
  contracts: ReadonlyMap<string, TrustRow[]>,
): TrustState {
  const places = groupBy(links, ({ contractId, server }) => JSON.stringify([contractId, server]))
  const tested = places.flatMap(({ first: { contractId, server } }) =>
    (contracts.get(contractId) ?? []).filter((row) => row.server === server),
  )
  const incidents = places.flatMap(({ first: { contractId, server } }) =>
    (context.incidents.get(contractId) ?? []).filter(
      (one) => one.server === '' || one.server === server,
    ),
  )
  const judged = groupBy(tested, ({ id }) => id).map(({ first, all }) => ({
    first,
    results: all.map(toServerResult),
  }))
  const standing = judgeWithIncidents(judgeDocument(asset), incidents)
  const url = toPage(KINDS.asset.pages, asset.id)
  const [link] = links
  const promisedAt = link === undefined ? url : toRealityPage(link.contractId)
  return toState(context, {
    key: { kind: 'asset', subject: asset.id },
    changesMs: [
      ...judged.flatMap(({ first, results }) => listStaleTimes(results, first)),
      ...listLateTimes(links),
      ...listAcceptanceEnds(links),
    ],
    judge: (ms) => ({
      tests: summarizeContracts(judged.map(({ first, results }) => judgeRows(results, first, ms))),
      freshness: judgeFreshness(links, toInstant(ms), promisedAt),
      drift: judgeDrift(links, ms, promisedAt),
      standing,
    }),
    periods: [],
  })
}

function summarizeContracts(signals: readonly TestsSignal[]): TestsSignal {
  return findWorstSignal(signals) ?? notTested('No test results yet.')
}

function judgeRows(results: readonly ServerResult[], first: TrustRow, atMs: number): TestsSignal {
  const { contractVersion: version, validSeconds } = first
  return judgeTests(results, { now: toInstant(atMs), version, validSeconds }, (id) =>
    toPage('test-results', id),
  )
}

function toServerResult(row: TrustRow): ServerResult {
  const { server, resultId, outcome, testedAt } = row
  if (resultId === null || outcome === null || testedAt === null) return { server, result: null }
  const { testedVersion: version, checkCount, passedCount } = row
  return { server, result: { id: resultId, outcome, testedAt, version, checkCount, passedCount } }
}

function judgeDocument({
  status,
  announced,
  certifications,
}: Pick<TrustRow, 'status' | 'announced' | 'certifications'>): StandingSignal {
  const named = certifications.map(({ id, name }) => ({
    name,
    url: toPage(KINDS.certification.pages, id),
  }))
  return judgeStanding({ status, announced, certifications: named })
}

function judgeWithIncidents(
  standing: StandingSignal,
  incidents: readonly IncidentRow[],
): StandingSignal {
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null)
  return judgeIncidents(standing, open, toContractPage)
}

function toPeriods({ nowMs }: JudgeContext, incidents: readonly IncidentRow[]): OpenPeriod[] {
  return mergePeriods(
    incidents.map(({ openedAt, resolvedAt }) => ({ from: openedAt, to: resolvedAt })),
    nowMs,
  )
}

function toPage(pages: string, id: string): string {
  return `/${pages}/${encodeURIComponent(id)}`
}

function toInstant(ms: number): string {
  return new Date(ms).toISOString()
}

// In the order in which the groups begin.
function groupBy<Row>(
  rows: readonly Row[],
  getKey: (row: Row) => string,
): { first: Row; all: Row[] }[] {
  return [...Map.groupBy(rows, getKey).values()].flatMap((all) => {
    const [first] = all
    return first === undefined ? [] : [{ first, all }]
  })
}
