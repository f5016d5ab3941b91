import { z } from '@hono/zod-openapi'
import {
  PURPOSE_CHARACTERS_MAX,
  ROLE_CHARACTERS_MAX,
  ROLES_MAX,
} from '../../formats/agreement/agreement.ts'
import { STATES, type AgreementState } from './agreement.ts'

/** A request for access to one or more output ports. Each becomes an agreement of its own. */

/** The maximum number of output ports in one request. */
export const PORTS_MAX = 20

const date = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-01-31')
  .nullish()

/** A request for access to output ports. */
export const accessRequest = z
  .object({
    ports: z
      .array(z.object({ dataProductId: z.string(), outputPortId: z.string() }))
      .min(1, 'must have at least one output port')
      .max(PORTS_MAX, `must have at most ${PORTS_MAX} output ports`),
    purpose: z.string().trim().min(1, 'is empty').max(PURPOSE_CHARACTERS_MAX),
    consumer: z
      .object({ teamId: z.string().optional(), dataProductId: z.string().optional() })
      .default({})
      .openapi({ description: 'A team or a data product; empty = the person who requests' }),
    roles: z.array(z.string().max(ROLE_CHARACTERS_MAX)).max(ROLES_MAX).default([]),
    startDate: date,
    endDate: date,
  })
  .openapi('AccessRequest')

/** A request for access, parsed. */
export type AccessRequest = z.infer<typeof accessRequest>

/** The agreements that a request created. */
export const requestedAgreements = z
  .array(
    z.object({
      id: z.string(),
      dataProductId: z.string(),
      dataProductName: z.string(),
      outputPortId: z.string(),
      state: z.enum(STATES).openapi({ description: 'active or upcoming = granted at once' }),
    }),
  )
  .openapi('RequestedAgreements')

/** The agreements that a request created, parsed. */
export type RequestedAgreements = z.infer<typeof requestedAgreements>

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
export const portRequest = z.object({
  purpose: z.string().trim().min(1, 'is empty').max(PURPOSE_CHARACTERS_MAX),
})

/** The answer to a request for access to one output port. */
export const portRequestAnswer = z
  .object({ accessId: z.string(), status: z.enum(LIFECYCLE_STATUSES) })
  .openapi('RequestedAccess')

const bilingual = z.object({ en: z.string() })

/** A question whether the caller may query an output port, in the form of AuthZEN. */
export const evaluationRequest = z
  .object({
    subject: z.object({ type: z.string(), id: z.string() }),
    resource: z.object({
      type: z.string(),
      id: z.string(),
      properties: z.object({ outputPortId: z.string().optional() }).default({}),
    }),
    action: z.object({
      name: z.string(),
      properties: z
        .object({ sql: z.string().nullish(), purpose: z.string().nullish() })
        .default({}),
    }),
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

const named = z.object({ id: z.string(), name: z.string() })

/** The facts that help to decide on a request for access to an output port. */
export const requestFacts = z
  .object({
    dataProduct: named,
    outputPort: named.extend({ type: z.string().nullable() }),
    team: named.openapi({ description: 'The team that decides' }),
    approvers: z.array(z.string()).openapi({ description: 'The names of some who decide' }),
    isGrantedAtOnce: z.boolean(),
    dataContract: z
      .object({
        id: z.string(),
        name: z.string().nullable().openapi({ description: 'null = it does not exist yet' }),
        version: z.string().nullable(),
        classifications: z.array(z.string()),
        usage: z.string().nullable(),
        limitations: z.string().nullable(),
        billing: z.string().nullable(),
        noticePeriod: z.string().nullable(),
        roles: z.array(z.object({ role: z.string(), description: z.string().nullable() })),
      })
      .nullable(),
    access: accessStatus,
    consumers: z.object({ teams: z.array(named), dataProducts: z.array(named) }).openapi({
      description: 'Those that the caller can request access for; at most 100 of each',
    }),
  })
  .openapi('AccessRequestFacts')

/** The facts that help to decide on a request for access, parsed. */
export type RequestFacts = z.infer<typeof requestFacts>

/** The maximum number of teams and data products in the choice of consumers. */
export const CONSUMERS_MAX = 100
