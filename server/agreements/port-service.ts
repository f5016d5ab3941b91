import { z } from '@hono/zod-openapi'
import { PURPOSE_CHARACTERS_MAX } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../requests/access/caller.ts'
import { mayUse } from '../requests/access/permission.ts'
import { notFound } from '../platform/errors.ts'
import type { AgreementState } from './agreement.ts'
import { settleAgreement } from './lifecycle.ts'
import { findPort, isGrantedAtOnce, type PortOfProduct } from './party-service.ts'
import { findCoveringAgreement } from './read-store.ts'
import type { AgreementServices } from './write-service.ts'

/** The access of a caller to an output port, as agents ask for it. */

/** The states of an agreement that clients of output ports know. */
const LIFECYCLE_STATUSES = ['requested', 'rejected', 'upcoming', 'active', 'expired'] as const

/** Returns the state that clients of output ports know: a canceled agreement has ended. */
export function toLifecycleStatus(state: AgreementState): (typeof LIFECYCLE_STATUSES)[number] {
  return state === 'canceled' ? 'expired' : state
}

/** The access of the caller to an output port. */
export const accessStatus = z
  .object({
    dataProductId: z.string(),
    outputPortId: z.string(),
    dataContractId: z.string().nullable(),
    outputPortType: z.string().nullable(),
    canGetInstantAccess: z.boolean(),
    canGetInstantAccessReason: z.string(),
    accessId: z.string().nullable(),
    accessStatus: z.enum(['requested', 'approved', 'rejected']).nullable(),
    accessLifecycleStatus: z.enum(LIFECYCLE_STATUSES).nullable(),
    canRequestAccess: z.boolean(),
    canRequestAccessReason: z.string(),
  })
  .openapi('AccessStatus')

/** The access of the caller to an output port, parsed. */
type AccessStatus = z.infer<typeof accessStatus>

/** A request for access to one output port. */
export const portRequest = z.strictObject({
  purpose: z.string().trim().min(1, 'is empty').max(PURPOSE_CHARACTERS_MAX),
})

/** The answer to a request for access to one output port. */
export const portRequestAnswer = z
  .object({ accessId: z.string(), status: z.enum(LIFECYCLE_STATUSES) })
  .openapi('RequestedAccess')

const bilingual = z.object({ en: z.string() })

/**
 * A question whether the caller may query an output port, in the form of AuthZEN. It has all members that the
 * Authorization API 1.0 defines; their properties are open.
 */
export const evaluationRequest = z
  .strictObject({
    subject: z.strictObject({
      type: z.string(),
      id: z.string(),
      properties: z.looseObject({}).optional(),
    }),
    resource: z.strictObject({
      type: z.string(),
      id: z.string(),
      properties: z.looseObject({ outputPortId: z.string().optional() }).optional(),
    }),
    action: z.strictObject({
      name: z.string(),
      properties: z
        .looseObject({ sql: z.string().nullish(), purpose: z.string().nullish() })
        .optional(),
    }),
    context: z.looseObject({}).optional().openapi({ description: 'Not used' }),
  })
  .openapi('AccessEvaluationRequest')

/** A question whether the caller may query an output port, parsed. */
type EvaluationRequest = z.infer<typeof evaluationRequest>

/** The decision on a question, and its reasons. */
export const evaluation = z
  .object({
    decision: z.boolean(),
    context: z.object({
      reasons: z.array(
        z.object({ id: z.string(), reason_admin: bilingual, reason_user: bilingual }),
      ),
    }),
  })
  .openapi('AccessEvaluation')

/** The decision on a question, parsed. */
type Evaluation = z.infer<typeof evaluation>

type EvaluationServices = Pick<AgreementServices, 'db' | 'clock' | 'offload'>

/** Returns the access of the caller to an output port, by its id or name. Errors: not_found. */
export async function getAccessStatus(
  services: EvaluationServices,
  caller: Caller,
  named: { productId: string; port: string },
): Promise<AccessStatus> {
  const result = await findPort(services, caller.organizationId, named)
  if ('unknown' in result) throw notFound()
  const { port, provider } = result
  const { productId } = provider
  const [agreement, isAtOnce] = await Promise.all([
    findAccess(services, caller, result),
    isGrantedAtOnce(services.db, caller, { productId, port }),
  ])
  const state = agreement?.state
  const cannotRequest = describeNoRequest(caller, state)
  return {
    dataProductId: named.productId,
    outputPortId: named.port,
    dataContractId: provider.contractId,
    outputPortType: port.type,
    canGetInstantAccess: isAtOnce,
    canGetInstantAccessReason: isAtOnce
      ? 'The output port approves requests at once.'
      : `The team ${provider.providerTeam} decides on requests.`,
    accessId: agreement?.id ?? null,
    accessStatus: agreement?.status ?? null,
    accessLifecycleStatus: state === undefined ? null : toLifecycleStatus(state),
    canRequestAccess: cannotRequest === undefined,
    canRequestAccessReason: cannotRequest ?? 'Access can be requested.',
  }
}

function describeNoRequest(caller: Caller, state: AgreementState | undefined): string | undefined {
  if (caller.userId === undefined) {
    return 'Only people can request access. Use a personal API key.'
  }
  if (caller.readOnly) return 'The key can only read.'
  if (!mayUse(caller, 'ACCESS_REQUEST')) return 'The key is limited to other permissions.'
  if (state === 'requested') return 'Access is requested already.'
  return state === 'active' || state === 'upcoming' ? 'Access is granted already.' : undefined
}

async function findAccess(
  { db, clock }: EvaluationServices,
  { organizationId, userId, roles }: Caller,
  { provider }: PortOfProduct,
) {
  const { productId, port } = provider
  const reader = { userId, teams: [...roles.keys()] }
  const row = await findCoveringAgreement(db, clock, { organizationId, productId, port }, reader)
  return row && settleAgreement(row).agreement
}

/**
 * Decides whether the caller may query an output port. Access is denied unless an active agreement of the person, of a
 * team of the person, or of one of its data products grants it.
 */
export async function evaluateAccess(
  services: EvaluationServices,
  caller: Caller,
  { subject, resource, action }: EvaluationRequest,
): Promise<Evaluation> {
  if (subject.type !== 'user' || subject.id !== 'current_user') {
    return deny('unknown_subject', 'Only the current user can be evaluated.')
  }
  const outputPortId = resource.properties?.outputPortId
  if (resource.type !== 'data_product' || outputPortId === undefined) {
    return deny('unknown_resource', 'Only output ports of data products can be evaluated.')
  }
  if (action.name !== 'query') return deny('unknown_action', 'Only queries can be evaluated.')
  const { organizationId } = caller
  const named = { productId: resource.id, port: outputPortId }
  const result = await findPort(services, organizationId, named)
  if ('unknown' in result) {
    return deny('unknown_port', `The ${result.unknown} does not exist, or is not visible.`)
  }
  const agreement = await findAccess(services, caller, result)
  if (agreement?.state === 'active') {
    return toEvaluation(true, 'active_agreement', 'An active access agreement grants it.', [
      `Agreement ${agreement.id} for: ${agreement.purpose}`,
    ])
  }
  if (agreement === undefined) {
    return deny('no_agreement', 'There is no access agreement. Request access to the output port.')
  }
  return deny(`agreement_${agreement.state}`, DENIALS[agreement.state] ?? 'Access is denied.', [
    `Agreement ${agreement.id} is ${agreement.state}.`,
  ])
}

const DENIALS: Readonly<Partial<Record<AgreementState, string>>> = {
  requested: 'The request for access is not decided yet.',
  rejected: 'The request for access was rejected.',
  upcoming: 'The access has not begun yet.',
  expired: 'The access has ended. Request it again.',
  canceled: 'The access has ended. Request it again.',
}

function deny(id: string, reason: string, forAdmins?: readonly string[]): Evaluation {
  return toEvaluation(false, id, reason, forAdmins)
}

function toEvaluation(
  decision: boolean,
  id: string,
  reason: string,
  forAdmins: readonly string[] = [reason],
): Evaluation {
  const reasons = [{ id, reason_admin: { en: forAdmins.join(' ') }, reason_user: { en: reason } }]
  return { decision, context: { reasons } }
}
