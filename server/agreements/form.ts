import { z } from '@hono/zod-openapi'
import {
  PURPOSE_CHARACTERS_MAX,
  ROLE_CHARACTERS_MAX,
  ROLES_MAX,
  type AgreementTerms,
} from '../../formats/agreement/agreement.ts'
import { isCalendarDate } from '../platform/kit/clock.ts'

/** The forms that people send from the pages of access. */

/** The maximum number of output ports that are requested together, and of agreements that are decided together. */
export const CHANGED_MAX = 50

/** The maximum length of a reason in characters. */
export const REASON_CHARACTERS_MAX = 2000

const ID_CHARACTERS_MAX = 2000

const id = z.string().max(ID_CHARACTERS_MAX)

const day = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .openapi({ format: 'date' })

const roles = z.array(z.string().max(ROLE_CHARACTERS_MAX)).max(ROLES_MAX)

/** A request of access to output ports. */
export const requestForm = z
  .strictObject({
    ports: z
      .array(z.strictObject({ productId: id, port: id, roles: roles.default([]) }))
      .min(1, 'must have at least one port')
      .max(CHANGED_MAX),
    consumer: z.union([
      z.strictObject({ userId: id }),
      z.strictObject({ teamId: id }),
      z.strictObject({ dataProductId: id }),
    ]),
    purpose: z
      .string()
      .trim()
      .min(1, 'is missing')
      .refine(
        (text) => Array.from(text).length <= PURPOSE_CHARACTERS_MAX,
        `must have at most ${PURPOSE_CHARACTERS_MAX} characters`,
      ),
    startDate: day.optional(),
    endDate: day.optional(),
  })
  .refine(({ startDate = '', endDate }) => endDate === undefined || endDate >= startDate, {
    path: ['endDate'],
    message: 'must not be before the start',
  })
  .openapi('AccessRequestForm')

/** Terms to change; null removes a date, and members that are absent stay. */
export const termsForm = z
  .strictObject({
    startDate: day.nullable().optional(),
    endDate: day.nullable().optional(),
    reassessmentDate: day.nullable().optional(),
    roles: roles.optional(),
  })
  .openapi('AgreementTermsForm')

/** A decision on agreements. */
export const decisionForm = z
  .strictObject({
    ids: z.array(id).min(1, 'must have at least one agreement').max(CHANGED_MAX),
    versions: z.array(z.number().int()).max(CHANGED_MAX).optional().openapi({
      description: 'The version of each agreement that the decision is based on, in their order',
    }),
    decision: z.enum(['approve', 'reject', 'cancel']),
    reason: z
      .string()
      .trim()
      .max(REASON_CHARACTERS_MAX)
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .default(null)
      .openapi({ description: 'Shown to both sides' }),
    terms: termsForm.default({}).openapi({ description: 'Only to approve' }),
  })
  .refine(({ ids, versions }) => versions === undefined || versions.length === ids.length, {
    path: ['versions'],
    message: 'must have one version for each agreement',
  })
  .openapi('AccessDecisionForm')

/** Returns the terms that a form changes. */
export function toTermsPatch({
  startDate,
  endDate,
  reassessmentDate,
  roles: named,
}: z.infer<typeof termsForm>): Partial<AgreementTerms> {
  return {
    ...(startDate !== undefined && { startOn: startDate }),
    ...(endDate !== undefined && { endOn: endDate }),
    ...(reassessmentDate !== undefined && { reassessOn: reassessmentDate }),
    ...(named !== undefined && { roles: named }),
  }
}
