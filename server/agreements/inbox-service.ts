import type { Caller } from '../access/caller.ts'
import { may, type Permission } from '../access/permission.ts'
import { ApiError, notFound } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import { parseInstant } from '../kit/clock.ts'
import { namePrincipals } from '../principals/service.ts'
import type { NamedPrincipal } from '../principals/principal.ts'
import type { Agreement } from './agreement.ts'
import { settleAgreement } from './change-service.ts'
import {
  countAgreements,
  findNamedAgreement,
  listNamedAgreements,
  NO_AGREEMENTS,
  type AgreementPlace,
  type AgreementScope,
  type NamedAgreement,
} from './inbox-store.ts'
import { isInForce, isOpen } from './lifecycle.ts'
import type {
  ACTIONS,
  AgreementList,
  AgreementPage,
  InboxState,
  ListedAgreement,
} from './listed-agreement.ts'
import { findActor } from './party-service.ts'
import { accessProvisioning } from './provisioning.ts'
import { parseProvisioning } from './provisioning-service.ts'
import { listProvisioningReports } from './provisioning-store.ts'
import { isOnConsumerSide, isOwnRequest, type Actor } from './rule.ts'

type InboxServices = Pick<Services, 'db' | 'clock'>

/** A page of a list. */
export interface AgreementListPage {
  states: readonly InboxState[]
  after: string | undefined
  limit: number
}

/** Lists the agreements that the caller may decide on. Errors: query_invalid. */
export async function listInbox(
  services: InboxServices,
  caller: Caller,
  page: AgreementListPage,
): Promise<AgreementList> {
  const { organizationId, organizationOwner } = caller
  const teams = listTeamsWith(caller, 'ACCESS_APPROVE')
  const scope: AgreementScope = organizationOwner
    ? { by: 'organization', organizationId }
    : { by: 'provider', organizationId, teams }
  return await listScope(services, caller, scope, page)
}

/** Lists the agreements of the caller: of the person, of its teams, and of their data products. Errors: query_invalid. */
export async function listMyAgreements(
  services: InboxServices,
  caller: Caller,
  page: AgreementListPage,
): Promise<AgreementList> {
  const { organizationId, roles } = caller
  const { userId } = await findActor(services.db, caller)
  const scope = { by: 'consumer', organizationId, teams: [...roles.keys()], userId } as const
  return await listScope(services, caller, scope, page)
}

function listTeamsWith(caller: Caller, permission: Permission): string[] {
  return [...caller.roles.keys()].filter((team) => may(caller, permission, team))
}

async function listScope(
  { db, clock }: InboxServices,
  caller: Caller,
  scope: AgreementScope,
  { states, after, limit }: AgreementListPage,
): Promise<AgreementList> {
  const isEmpty = scope.by === 'provider' && scope.teams.length === 0
  if (isEmpty) return { agreements: [], next: null, counts: NO_AGREEMENTS }
  const place = after === undefined ? undefined : parsePlace(after)
  const rows = await listNamedAgreements(db, clock, scope, { states, after: place, limit })
  const agreements = await describeAgreements({ db }, caller, rows.slice(0, limit))
  const last = rows[limit - 1]
  const next = rows.length > limit && last !== undefined ? writePlace(states, last) : null
  return { agreements, next, counts: await countAgreements(db, clock, scope) }
}

function writePlace(states: readonly InboxState[], { endOn, requestedAt, id }: Agreement): string {
  return `${states.includes('expiring') ? (endOn ?? '') : requestedAt} ${id}`
}

function parsePlace(text: string): AgreementPlace {
  const [at = ''] = text.split(' ', 1)
  const isPlace = /^\d{4}-\d{2}-\d{2}$/.test(at) || parseInstant(at) !== undefined
  if (isPlace) return { at, id: text.slice(at.length + 1) }
  throw new ApiError('query_invalid', 'The query parameter after is not that of a list.', {
    violations: [{ field: 'after', message: 'is not the `next` of a list' }],
  })
}

/** Returns an agreement with the timeline of its provisioning. Errors: not_found. */
export async function getAgreementPage(
  { db, clock }: InboxServices,
  caller: Caller,
  id: string,
): Promise<AgreementPage> {
  const key = { organizationId: caller.organizationId, id }
  const row = await findNamedAgreement(db, clock, key)
  if (row === undefined) throw notFound()
  const [listed] = await describeAgreements({ db }, caller, [row])
  if (listed === undefined) throw notFound()
  const reports = await listProvisioningReports(db, key)
  const names = await nameAll(
    { db },
    caller,
    reports.map(({ reportedBy }) => reportedBy),
  )
  return {
    ...listed,
    provisioning: parseProvisioning(row) ?? null,
    reports: reports.map(({ provisioning, reportedAt, reportedBy }) => ({
      provisioning: accessProvisioning.parse(JSON.parse(provisioning)),
      reportedAt,
      reportedBy: names(reportedBy),
    })),
  }
}

async function describeAgreements(
  { db }: Pick<InboxServices, 'db'>,
  caller: Caller,
  rows: readonly NamedAgreement[],
): Promise<ListedAgreement[]> {
  const actor = await findActor(db, caller)
  const principals = rows.flatMap(({ requestedBy, decidedBy }) =>
    decidedBy === null ? [requestedBy] : [requestedBy, decidedBy],
  )
  const names = await nameAll({ db }, caller, principals)
  return rows.map((row) => describeAgreement(actor, row, names))
}

async function nameAll(
  { db }: Pick<InboxServices, 'db'>,
  { organizationId }: Caller,
  principals: readonly string[],
): Promise<(principal: string) => NamedPrincipal> {
  const named = await namePrincipals(db, organizationId, principals)
  const byPrincipal = new Map(named.map((one) => [one.principal, one]))
  return (principal) =>
    byPrincipal.get(principal) ?? { principal, name: null, kind: 'system' as const }
}

function describeAgreement(
  actor: Actor,
  row: NamedAgreement,
  names: (principal: string) => NamedPrincipal,
): ListedAgreement {
  const { agreement } = settleAgreement({ agreement: row, now: row.now })
  const { contractId, decidedBy, consumerType, consumerTeam } = agreement
  const consumer = {
    team: { id: consumerTeam ?? '', name: row.consumerTeamName },
    user: { id: agreement.consumerUser ?? '', name: row.consumerUserName },
    dataproduct: { id: agreement.consumerProduct ?? '', name: row.consumerProductName },
  }[consumerType]
  return {
    id: agreement.id,
    version: agreement.version,
    status: agreement.status,
    state: agreement.state,
    purpose: agreement.purpose,
    roles: [...agreement.roles],
    startDate: agreement.startOn,
    endDate: agreement.endOn,
    nextReassessmentDate: agreement.reassessOn,
    dataProduct: { id: agreement.productId, name: row.productName },
    outputPortId: agreement.port,
    providerTeam: { id: agreement.providerTeam, name: row.providerTeamName },
    consumerType,
    consumer,
    consumerTeam: consumerTeam === null ? null : { id: consumerTeam, name: row.consumerTeamName },
    requestedAt: agreement.requestedAt,
    requestedBy: names(agreement.requestedBy),
    decidedAt: agreement.decidedAt,
    decidedBy: decidedBy === null ? null : names(decidedBy),
    reason: agreement.decisionReason,
    dataContract:
      contractId === null ? null : { id: contractId, version: agreement.contractVersion },
    contractChangedAt: agreement.contractChangedAt,
    contractChangedLevel: agreement.contractChangedLevel,
    provisioningStatus: row.provisioningStatus,
    actions: listActions(actor, agreement),
  }
}

/** Lists what an actor may do with an agreement in its state. */
export function listActions(actor: Actor, agreement: Agreement): (typeof ACTIONS)[number][] {
  const { caller } = actor
  const mayDecide = may(caller, 'ACCESS_APPROVE', agreement.providerTeam)
  const mayApprove = mayDecide && !isOwnRequest(actor, agreement)
  const isConsumer = isOnConsumerSide(actor, agreement)
  const mayCancel = may(caller, 'ACCESS_TERMINATE', agreement.providerTeam) || isConsumer
  const isApprovable = agreement.state === 'requested' || agreement.state === 'rejected'
  return [
    ...(mayApprove && isApprovable ? (['approve'] as const) : []),
    ...(mayDecide && isOpen(agreement) ? (['reject'] as const) : []),
    ...(mayCancel && isOpen(agreement) ? (['cancel'] as const) : []),
    ...(mayApprove && isInForce(agreement) ? (['amend'] as const) : []),
    ...(may(caller, 'ACCESS_DELETE', agreement.providerTeam) ? (['delete'] as const) : []),
  ]
}
