import { z } from '@hono/zod-openapi'
import {
  PURPOSE_CHARACTERS_MAX,
  ROLE_CHARACTERS_MAX,
  ROLES_MAX,
  type AgreementTerms,
} from '../../formats/agreement/agreement.ts'
import { isCalendarDate } from '../platform/kit/clock.ts'

/** The forms that people send from the pages of agreements. */

/** The maximum number of output ports that are requested together, and of agreements that are decided together. */
export const CHANGED_MAX = 50

/** The maximum length of a reason in characters. */
const REASON_CHARACTERS_MAX = 2000

const ID_CHARACTERS_MAX = 2000

/** The id of something in a request. */
export const idField = z.string().max(ID_CHARACTERS_MAX)

const dayField = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .openapi({ format: 'date' })

const roles = z.array(z.string().max(ROLE_CHARACTERS_MAX)).max(ROLES_MAX)

const purpose = z
  .string()
  .trim()
  .min(1, 'is missing')
  .refine(
    (text) => Array.from(text).length <= PURPOSE_CHARACTERS_MAX,
    `must have at most ${PURPOSE_CHARACTERS_MAX} characters`,
  )

const requestedPort = z.strictObject({
  productId: idField,
  port: idField,
  roles: roles.default([]),
  purpose: purpose.optional().openapi({ description: 'Instead of the purpose of all ports' }),
})

/** A request of access to output ports. */
export const requestForm = z
  .strictObject({
    ports: z.array(requestedPort).min(1, 'must have at least one port').max(CHANGED_MAX),
    consumer: z.union([
      z.strictObject({ userId: idField }),
      z.strictObject({ teamId: idField }),
      z.strictObject({ dataProductId: idField }),
    ]),
    purpose: purpose.optional().openapi({
      description: 'Of the ports without their own; required if there is one',
    }),
    startDate: dayField.optional(),
    endDate: dayField.optional(),
  })
  .refine(
    (form) => form.purpose !== undefined || form.ports.every((port) => port.purpose !== undefined),
    { path: ['purpose'], message: 'is missing' },
  )
  .refine(({ startDate = '', endDate }) => endDate === undefined || endDate >= startDate, {
    path: ['endDate'],
    message: 'must not be before the start',
  })
  .openapi('AccessRequestForm')

type RequestForm = z.infer<typeof requestForm>

/**
 * A request for access to an output port, by its id or its name. Without a start it begins with the decision, and without
 * an end it does not end.
 */
export type AccessRequest = Omit<RequestForm, 'ports'> &
  RequestForm['ports'][number] & { purpose: string }

/** Lists the requests of a form, one for each port, with its own purpose or that of all. */
export function listRequests({ ports, ...shared }: RequestForm): AccessRequest[] {
  return ports.map(({ purpose: own, ...port }) => ({
    ...shared,
    ...port,
    purpose: own ?? shared.purpose ?? '',
  }))
}

/** Terms to change; null removes a date, and members that are absent stay. */
export const termsForm = z
  .strictObject({
    startDate: dayField.nullable().optional(),
    endDate: dayField.nullable().optional(),
    reassessmentDate: dayField.nullable().optional(),
    roles: roles.optional(),
  })
  .openapi('AgreementTermsForm')

/** A decision on agreements. */
export const decisionForm = z
  .strictObject({
    ids: z.array(idField).min(1, 'must have at least one agreement').max(CHANGED_MAX),
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
