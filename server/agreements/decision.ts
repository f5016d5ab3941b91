import { z } from '@hono/zod-openapi'
import { ROLE_CHARACTERS_MAX, ROLES_MAX } from '../../formats/agreement/agreement.ts'
import { isCalendarDate } from '../kit/clock.ts'
import { STATES } from './agreement.ts'

/** The decisions of people on agreements. */

/** The maximum length of a reason in characters. */
export const REASON_CHARACTERS_MAX = 4000

/** The maximum number of agreements in one decision. */
export const DECISIONS_MAX = 100

const date = z
  .string()
  .refine(isCalendarDate, 'must be a date such as 2026-01-31')
  .nullable()
  .optional()
  .openapi({ description: 'Absent = as it is; null = none' })

const terms = {
  startDate: date,
  endDate: date,
  nextReassessmentDate: date,
  roles: z.array(z.string().max(ROLE_CHARACTERS_MAX)).max(ROLES_MAX).optional(),
}

const reason = z.string().trim().max(REASON_CHARACTERS_MAX).nullable().default(null)

/** The names of decisions. */
export const DECISION_NAMES = ['approve', 'reject', 'cancel'] as const

/** A decision on one agreement; an approval may change its terms. */
export const decisionForm = z
  .object({
    decision: z.enum(DECISION_NAMES),
    reason,
    ...terms,
    version: z.int().optional().openapi({
      description: 'The version that was seen: 412 if the agreement has changed since',
    }),
  })
  .openapi('AccessDecision')

/** New terms of an agreement in force. */
export const termsForm = z.object(terms).openapi('AccessTerms')

/** New terms of an agreement; undefined members stay as they are. */
export type TermsForm = z.infer<typeof termsForm>

/** A longer period that is requested. */
export const renewalForm = z
  .object({
    endDate: date,
    purpose: z.string().trim().min(1).max(REASON_CHARACTERS_MAX).optional(),
  })
  .openapi('AccessRenewal')

/** One decision on several agreements. */
export const decisionsForm = z
  .object({
    ids: z.array(z.string()).min(1).max(DECISIONS_MAX, `must have at most ${DECISIONS_MAX} ids`),
    decision: z.enum(DECISION_NAMES),
    reason,
  })
  .openapi('AccessDecisions')

/** The outcome of a decision for each agreement. */
export const decisionOutcomes = z
  .array(
    z.object({
      id: z.string(),
      state: z.enum(STATES).nullable().openapi({ description: 'null = it could not be decided' }),
      code: z.string().nullable(),
      detail: z.string().nullable(),
    }),
  )
  .openapi('AccessDecisionOutcomes')

/** The outcome of a decision for each agreement, parsed. */
export type DecisionOutcomes = z.infer<typeof decisionOutcomes>
