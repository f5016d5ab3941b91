import { listContractServers } from '../../catalog/data-contracts/read-service.ts'
import { judgeDriftState } from '../../ledger/drift/drift-plan.ts'
import { notFound } from '../../platform/errors.ts'
import type { ReadingServices, Services } from '../../requests/http/endpoint.ts'
import * as store from './contract-store.ts'
import type { ContractDrift, DriftFinding } from './drift.ts'
import { nameFindings } from './list-service.ts'

type ServerDrift = ContractDrift['servers'][number]

/** Returns the differences between a contract and its assets. Errors: not_found, document_too_costly, overloaded. */
export async function getContractDrift(
  work: ReadingServices & Pick<Services, 'clock'>,
  organizationId: string,
  contractId: string,
): Promise<ContractDrift> {
  const { db, clock } = work
  const summary = await store.findSummary(db, clock, organizationId, contractId)
  if (summary === undefined) throw notFound()
  const promises = await store.listPromises(db, organizationId, contractId)
  const rows = await store.listOpenFindings(db, organizationId, contractId)
  const findings = Map.groupBy(await nameFindings(db, organizationId, rows), toKey)
  const environments = await readEnvironments(work, organizationId, contractId)
  const { version, comparedAt, breaking, additive, accepted, unverifiable } = summary
  return {
    version,
    state: judgeDriftState(summary),
    comparedAt,
    counts: { breaking, additive, accepted, unverifiable },
    servers: [...Map.groupBy(promises, ({ server }) => server)].map(([server, models]) => ({
      server,
      environment: environments.get(server) ?? null,
      isProduction: models.some(({ isProduction }) => isProduction),
      models: models.map((promise) => toModelDrift(promise, findings.get(toKey(promise)) ?? [])),
    })),
  }
}

function toKey({ server, model }: Pick<DriftFinding, 'server' | 'model'>): string {
  return JSON.stringify([server, model])
}

function toModelDrift(
  promise: store.PromiseRow,
  findings: DriftFinding[],
): ServerDrift['models'][number] {
  const { state, reason, asset, origin, explanation, candidates, omittedCount, openCount } = promise
  return {
    ...promise,
    link: { state, reason, asset, origin, explanation, candidates },
    findings,
    omittedCount: omittedCount + openCount - findings.length,
  }
}

async function readEnvironments(
  work: ReadingServices,
  organizationId: string,
  contractId: string,
): Promise<Map<string, string | null>> {
  const servers = await listContractServers(work, organizationId, contractId)
  return new Map(servers.map(({ name, environment }) => [name, environment]))
}
