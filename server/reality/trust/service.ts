import { findSignalAt, findWorst, SIGNALS } from '../../ledger/trust/signal.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { countKept } from './kept.ts'
import { listStoredPorts, listStoredTrust, type ReadRow } from './read-store.ts'
import { judgeResources } from './settle-service.ts'
import { toPortSubject, type TrustState } from './state.ts'
import type { StoredReasons, TrustSubjects } from './state-store.ts'
import type { TrustSignals, Trust } from './trust.ts'

type TrustServices = Pick<Services, 'db' | 'clock' | 'baseUrl'>

/** The resources whose signals are requested. */
interface TrustedResources extends TrustSubjects {
  /** Output ports, each with its data product, which is among the products. */
  ports: readonly { dataProductId: string; id: string }[]
}

/**
 * Lists the signals of resources as they are now: data products, each with its requested output ports, data contracts and
 * assets. Those that do not exist are left out. What is not stored is judged.
 */
export async function listTrust(
  { db, clock, baseUrl }: TrustServices,
  organizationId: string,
  { ports, ...subjects }: TrustedResources,
): Promise<Trust[]> {
  const withPorts = ports.map(({ dataProductId }) => dataProductId)
  const rows = await listStoredTrust(db, clock, organizationId, subjects, withPorts)
  const named = rows.flatMap((row) => findPorts(row, ports))
  const stored = await listStoredPorts(
    db,
    organizationId,
    named.map(({ subject }) => subject),
  )
  const reasons = new Map(stored.map((one) => [toKey('output-port', one.subject), one.reasons]))
  for (const row of rows) {
    if (row.reasons !== null) reasons.set(toKey(row.kind, row.id), row.reasons)
  }
  await addJudged({ db, clock }, organizationId, rows, reasons)
  const getReasons = (kind: TrustState['kind'], subject: string): StoredReasons =>
    reasons.get(toKey(kind, subject)) ?? {}
  return rows.flatMap((row) => {
    const nowMs = Date.parse(row.now)
    const own = named.filter(
      ({ dataProductId }) => row.kind === 'data-product' && dataProductId === row.id,
    )
    const toPort = ({ id, subject }: NamedPort): Trust[] => {
      const signals = readSignals(baseUrl, getReasons('output-port', subject), nowMs)
      if (signals === undefined) return []
      const place = { resourceType: 'OUTPUT_PORT' as const, id, dataProductId: row.id }
      return [{ ...place, ...signals, readers: null, kept: null }]
    }
    return [...toTrust(baseUrl, row, getReasons(row.kind, row.id), nowMs), ...own.flatMap(toPort)]
  })
}

/** A requested output port that exists. */
interface NamedPort {
  dataProductId: string
  /** As it was requested. */
  id: string
  subject: string
}

function findPorts(
  { kind, id, ports }: ReadRow,
  requested: TrustedResources['ports'],
): NamedPort[] {
  if (kind !== 'data-product' || ports === null) return []
  return requested.flatMap((one) => {
    if (one.dataProductId !== id) return []
    const position = ports.findIndex((names) => names.includes(one.id)) + 1
    return position === 0 ? [] : [{ ...one, subject: toPortSubject(id, position) }]
  })
}

function toKey(kind: TrustState['kind'], subject: string): string {
  return `${kind}/${subject}`
}

// An upgrade, and a change that affects very many resources, leave their signals to the upkeep.
async function addJudged(
  { db, clock }: Pick<TrustServices, 'db' | 'clock'>,
  organizationId: string,
  rows: readonly ReadRow[],
  reasons: Map<string, StoredReasons>,
): Promise<void> {
  const missing = rows.filter(({ kind, id }) => reasons.get(toKey(kind, id))?.tests === undefined)
  if (missing.length === 0) return
  const list = (kind: ReadRow['kind']): string[] =>
    missing.flatMap((row) => (row.kind === kind ? row.id : []))
  const judged = await judgeResources(db, clock, organizationId, {
    products: list('data-product'),
    contracts: list('data-contract'),
    assets: list('asset'),
  })
  for (const { kind, subject, signals, periods } of judged) {
    reasons.set(toKey(kind, subject), { ...signals, periods })
  }
}

const RESOURCE_TYPES = {
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  asset: 'DATA_ASSET',
} as const

function toTrust(
  baseUrl: string,
  { kind, id, readers }: ReadRow,
  reasons: StoredReasons,
  nowMs: number,
): Trust[] {
  const signals = readSignals(baseUrl, reasons, nowMs)
  if (signals === undefined) return []
  const isAsset = kind === 'asset'
  const counts = {
    readers: isAsset ? null : readers,
    kept: isAsset ? null : countKept(reasons.periods ?? [], nowMs),
  }
  return [{ resourceType: RESOURCE_TYPES[kind], id, dataProductId: null, ...signals, ...counts }]
}

// Undefined = they are not stored and were not judged.
function readSignals(
  baseUrl: string,
  { tests, freshness, drift, standing }: StoredReasons,
  nowMs: number,
): (TrustSignals & Pick<Trust, 'worst'>) | undefined {
  const current = {
    tests: findSignalAt(tests, nowMs),
    freshness: findSignalAt(freshness, nowMs),
    drift: findSignalAt(drift, nowMs),
    standing: findSignalAt(standing, nowMs),
  }
  if (!current.tests || !current.freshness || !current.drift || !current.standing) return undefined
  const signals = {
    tests: toSignal(baseUrl, current.tests),
    freshness: toSignal(baseUrl, current.freshness),
    drift: toSignal(baseUrl, current.drift),
    standing: toSignal(baseUrl, current.standing),
  }
  return { ...signals, worst: findWorst(SIGNALS.map((name) => signals[name].state)) }
}

// The schema of the answer leaves out `from`.
function toSignal<Signal extends { url: string | null }>(baseUrl: string, signal: Signal): Signal {
  return { ...signal, url: signal.url === null ? null : `${baseUrl}${signal.url}` }
}
