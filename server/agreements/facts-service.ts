import type { Caller } from '../access/caller.ts'
import { findPermissionHolders } from '../access/error-details-service.ts'
import { may } from '../access/permission.ts'
import { notFound } from '../errors.ts'
import type { AgreementServices } from './change-service.ts'
import { getAccessStatus } from './evaluation-service.ts'
import { findPort } from './party-service.ts'
import { findContractText, listConsumerChoice } from './party-store.ts'
import { CONSUMERS_MAX, type RequestFacts } from './request.ts'
import { readTermsOfContract } from './task.ts'

const APPROVERS_MAX = 10

/**
 * Returns what a person should know before requesting access to an output port: terms, classification, who decides.
 * Errors: not_found.
 */
export async function getRequestFacts(
  services: Pick<AgreementServices, 'db' | 'clock' | 'offload'>,
  caller: Caller,
  named: { productId: string; port: string },
): Promise<RequestFacts> {
  const { db } = services
  const { organizationId, roles } = caller
  const found = await findPort(services, organizationId, named)
  if ('unknown' in found) throw notFound()
  const { port, provider, productName } = found
  const team = provider.providerTeam
  const deciding = { permission: 'ACCESS_APPROVE', team, limit: APPROVERS_MAX }
  const { name, people } = await findPermissionHolders(db, caller, deciding)
  const teams = [...roles.keys()].filter((one) => may(caller, 'ACCESS_REQUEST', one))
  return {
    dataProduct: { id: provider.productId, name: productName },
    outputPort: { id: port.id, name: port.name, type: port.type },
    team: { id: team, name: name ?? team },
    approvers: people,
    isGrantedAtOnce: port.isAutoApproved,
    dataContract:
      port.contractId === null
        ? null
        : await describeContract(services, organizationId, port.contractId),
    access: await getAccessStatus(services, caller, named),
    consumers: await listConsumerChoice(db, organizationId, teams, CONSUMERS_MAX),
  }
}

const NO_TERMS = { usage: null, limitations: null, billing: null, noticePeriod: null, roles: [] }

async function describeContract(
  { db, offload }: Pick<AgreementServices, 'db' | 'offload'>,
  organizationId: string,
  id: string,
): Promise<RequestFacts['dataContract']> {
  const contract = await findContractText(db, organizationId, id)
  if (contract === undefined) {
    return { id, name: null, version: null, classifications: [], ...NO_TERMS }
  }
  const { document, ...facts } = contract
  const text = { document, mediaType: 'application/json' }
  const terms = await offload.run(organizationId, readTermsOfContract, text, [text])
  return { id, ...facts, ...terms }
}
