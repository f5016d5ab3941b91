import { z } from '@hono/zod-openapi'
import { PURPOSE_CHARACTERS_MAX } from '../../formats/agreement/agreement.ts'
import type { AgreementState } from './agreement.ts'

/** Access to an output port, as agents request it and ask for it. */

/** A request for access to an output port. */
export interface AccessRequest {
  productId: string
  /** The id or the name of the output port. */
  port: string
  roles: readonly string[]
  consumer: { userId: string } | { teamId: string } | { dataProductId: string }
  purpose: string
  /** The first day, `YYYY-MM-DD`; undefined = from the decision on. */
  startDate?: string | undefined
  /** The first day after the access; undefined = without an end. */
  endDate?: string | undefined
}

/** The states of an agreement that clients of output ports know. */
export const LIFECYCLE_STATUSES = [
  'requested',
  'rejected',
  'upcoming',
  'active',
  'expired',
] as const

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
export type AccessStatus = z.infer<typeof accessStatus>

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
export type EvaluationRequest = z.infer<typeof evaluationRequest>

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
export type Evaluation = z.infer<typeof evaluation>
