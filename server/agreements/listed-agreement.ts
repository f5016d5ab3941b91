import { z } from '@hono/zod-openapi'
import { CONSUMER_TYPES } from '../../formats/agreement/agreement.ts'
import { namedPrincipal } from '../principals/principal.ts'
import { STATES, STATUSES } from './agreement.ts'
import { accessProvisioning, PROVISIONING_STATUSES } from './provisioning.ts'

/** Agreements as pages list them: with the names of everything and everyone that they mention. */

const named = z.object({
  id: z.string(),
  name: z.string().nullable().openapi({ description: 'null = it no longer exists' }),
})

/** The actions that an agreement may offer to the caller. */
export const ACTIONS = ['approve', 'reject', 'cancel', 'amend', 'delete'] as const

/** An agreement in a list. */
export const listedAgreement = z
  .object({
    id: z.string(),
    version: z.int().openapi({ description: 'Sent with a decision, it must still be current' }),
    status: z.enum(STATUSES),
    state: z.enum(STATES),
    purpose: z.string(),
    roles: z.array(z.string()),
    startDate: z.string().nullable(),
    endDate: z.string().nullable(),
    nextReassessmentDate: z.string().nullable(),
    dataProduct: named,
    outputPortId: z.string(),
    providerTeam: named,
    consumerType: z.enum(CONSUMER_TYPES),
    consumer: named,
    consumerTeam: named.nullable().openapi({
      description: 'The team that owns the consuming data product, or the consuming team',
    }),
    requestedAt: z.string(),
    requestedBy: namedPrincipal,
    decidedAt: z.string().nullable(),
    decidedBy: z.object(namedPrincipal.shape).nullable(),
    reason: z.string().nullable(),
    dataContract: z.object({ id: z.string(), version: z.string().nullable() }).nullable(),
    contractChangedAt: z.string().nullable().openapi({
      description: 'When the contract was changed since the approval; null = it was not',
    }),
    contractChangedLevel: z.string().nullable(),
    provisioningStatus: z.enum(PROVISIONING_STATUSES).nullable(),
    actions: z.array(z.enum(ACTIONS)).openapi({ description: 'What the caller may do with it' }),
  })
  .openapi('ListedAgreement')

/** An agreement in a list, parsed. */
export type ListedAgreement = z.infer<typeof listedAgreement>

/** An agreement with the timeline of its provisioning. */
export const agreementPage = listedAgreement
  .extend({
    provisioning: z.object(accessProvisioning.shape).nullable(),
    reports: z
      .array(
        z.object({
          provisioning: accessProvisioning,
          reportedAt: z.string(),
          reportedBy: namedPrincipal,
        }),
      )
      .openapi({ description: 'Newest first' }),
  })
  .openapi('AgreementPage')

/** An agreement with the timeline of its provisioning, parsed. */
export type AgreementPage = z.infer<typeof agreementPage>

/** The parts of the inbox. */
export const INBOX_STATES = [
  'requested',
  'active',
  'expiring',
  'upcoming',
  'rejected',
  'ended',
] as const

/** A part of the inbox. */
export type InboxState = (typeof INBOX_STATES)[number]

/** The number up to which the agreements of a part are counted. */
export const COUNTED_MAX = 100

const counts = z.object({
  requested: z.int(),
  active: z.int(),
  expiring: z.int(),
  upcoming: z.int(),
  rejected: z.int(),
  ended: z.int(),
})

/** The numbers of agreements in each part, up to `COUNTED_MAX`. */
export type AgreementCounts = z.infer<typeof counts>

/** A page of agreements. */
export const agreementList = z
  .object({
    agreements: z.array(listedAgreement),
    next: z.string().nullable().openapi({ description: 'The value of `after` for the next page' }),
    counts: counts.openapi({
      description: `Each at most ${COUNTED_MAX}, which means as many or more`,
    }),
  })
  .openapi('AgreementList')

/** A page of agreements, parsed. */
export type AgreementList = z.infer<typeof agreementList>
