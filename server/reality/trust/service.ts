import { KINDS } from '../../platform/kinds.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { judgePortStanding, judgeStanding } from './standing-signal.ts'
import { listTrustRows, type TrustRow } from './store.ts'
import { judgeTests, summarizePorts, type ServerResult } from './tests-signal.ts'
import { findWorst, type StandingSignal, type TestsSignal, type Trust } from './trust.ts'

type TrustServices = Pick<Services, 'db' | 'clock' | 'baseUrl'>

/** The resources whose signals are requested. */
interface TrustedResources {
  products: readonly string[]
  contracts: readonly string[]
  /** Output ports, each with its data product, which is among the products. */
  ports: readonly { dataProductId: string; id: string }[]
}

/**
 * Lists the signals of resources: data products, each with its requested output ports, and data contracts. Those that do
 * not exist are left out.
 */
export async function listTrust(
  { db, clock, baseUrl }: TrustServices,
  organizationId: string,
  { products, contracts, ports }: TrustedResources,
): Promise<Trust[]> {
  const rows = await listTrustRows(db, clock, organizationId, { products, contracts })
  const documents = groupBy(rows, ({ kind, id }) => `${kind}/${id}`)
  return documents.flatMap(({ first, all }) => {
    if (first.kind === 'data-contract') return [toContractTrust(baseUrl, first, all)]
    const judged = judgePorts(baseUrl, all)
    const requested = ports.filter(({ dataProductId }) => dataProductId === first.id)
    const product = toProductTrust(baseUrl, first, judged)
    return [product, ...requested.flatMap(({ id }) => toPortTrust(product, judged, id) ?? [])]
  })
}

/** An output port with its tests. */
interface JudgedPort {
  name: string
  row: TrustRow
  tests: TestsSignal
}

function judgePorts(baseUrl: string, rows: readonly TrustRow[]): JudgedPort[] {
  const ports = rows.filter(({ port }) => port !== null)
  return groupBy(ports, ({ port }) => `${port}`).map(({ first, all }) => ({
    name: first.portName ?? '',
    row: first,
    tests: judgeRows(baseUrl, first.contractId === null ? [] : all, first),
  }))
}

function judgeRows(baseUrl: string, rows: readonly TrustRow[], first: TrustRow): TestsSignal {
  const validity = {
    now: first.now,
    version: first.contractVersion,
    validSeconds: first.validSeconds,
  }
  return judgeTests(rows.map(toServerResult), validity, (id) => toUrl(baseUrl, 'test-results', id))
}

function toServerResult(row: TrustRow): ServerResult {
  const { server, resultId, outcome, testedAt } = row
  if (resultId === null || outcome === null || testedAt === null) return { server, result: null }
  const { testedVersion: version, checkCount, passedCount } = row
  return { server, result: { id: resultId, outcome, testedAt, version, checkCount, passedCount } }
}

function toProductTrust(baseUrl: string, first: TrustRow, ports: readonly JudgedPort[]): Trust {
  const tests = summarizePorts(ports)
  return toTrust(first, 'DATA_PRODUCT', tests, judgeDocument(baseUrl, first))
}

function toContractTrust(baseUrl: string, first: TrustRow, rows: readonly TrustRow[]): Trust {
  const tests = judgeRows(baseUrl, rows, first)
  return toTrust(first, 'DATA_CONTRACT', tests, judgeDocument(baseUrl, first))
}

function judgeDocument(baseUrl: string, row: TrustRow): StandingSignal {
  const { status, announced } = row
  const certifications = row.certifications.map(({ id, name }) => ({
    name,
    url: toUrl(baseUrl, KINDS.certification.pages, id),
  }))
  return judgeStanding({ status, announced, certifications })
}

// Undefined = the product has no such output port.
function toPortTrust(product: Trust, ports: readonly JudgedPort[], id: string): Trust | undefined {
  const port = ports.find(({ row }) => row.portNames?.includes(id))
  if (port === undefined) return undefined
  const { portStatus, contractStatus } = port.row
  const standing = judgePortStanding(product.standing, { portStatus, contractStatus })
  return {
    resourceType: 'OUTPUT_PORT',
    id,
    dataProductId: product.id,
    tests: port.tests,
    standing,
    readers: null,
    worst: findWorst([port.tests.state, standing.state]),
  }
}

function toTrust(
  { id, readers }: TrustRow,
  resourceType: Trust['resourceType'],
  tests: TestsSignal,
  standing: StandingSignal,
): Trust {
  const worst = findWorst([tests.state, standing.state])
  return { resourceType, id, dataProductId: null, tests, standing, readers, worst }
}

function toUrl(baseUrl: string, pages: string, id: string): string {
  return `${baseUrl}/${pages}/${encodeURIComponent(id)}`
}

// In the order in which the groups begin.
function groupBy<Row>(
  rows: readonly Row[],
  getKey: (row: Row) => string,
): { first: Row; all: Row[] }[] {
  const groups = new Map<string, { first: Row; all: Row[] }>()
  for (const row of rows) {
    const group = groups.get(getKey(row))
    if (group === undefined) groups.set(getKey(row), { first: row, all: [row] })
    else group.all.push(row)
  }
  return [...groups.values()]
}
