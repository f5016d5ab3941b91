import { z } from '@hono/zod-openapi'
import { CONSUMER_TYPES } from '../../formats/agreement/agreement.ts'
import { ERROR_CODES } from '../platform/error-codes.ts'
import { STATES, STATUSES, type AgreementState } from './agreement.ts'
import { accessProvisioning, PROVISIONING_STATUSES } from './provisioning.ts'

/** Agreements as the pages list them. */

/** The maximum number of agreements in a page of a list. */
export const LISTED_MAX = 25

/** Numbers above this are not counted: a list shows them as `1,000+`. */
export const COUNTED_MAX = 1000

/** Readers of a data product above this number are not counted. */
export const READERS_MAX = 200

/** The maximum number of data products whose access is summarized together. */
export const SUMMARIZED_MAX = 100

/** The views of a list, each with the states that it contains. */
export const VIEWS = {
  requested: ['requested'],
  active: ['active', 'upcoming'],
  /** Active agreements that end within `EXPIRING_DAYS`, the next one first. */
  expiring: ['active'],
  rejected: ['rejected'],
  ended: ['expired', 'canceled'],
} as const satisfies Readonly<Record<string, readonly AgreementState[]>>

/** A view of a list. */
export type AgreementView = keyof typeof VIEWS

/** The names of the views. */
export const VIEW_NAMES = ['requested', 'active', 'expiring', 'rejected', 'ended'] as const

/**
 * The parties whose agreements a list contains: `inbox`: those that the caller decides on; `mine`: those of the caller, of the
 * caller's teams and of their data products; `product`: those of the output ports of a data product; `consumer`: those
 * of a team and its data products.
 */
export const LISTS = ['inbox', 'mine', 'product', 'consumer'] as const

const day = z.string().nullable().openapi({ format: 'date' })
const instant = z.string().openapi({ format: 'date-time' })

/** An agreement in a list. */
const listedAgreement = z
  .object({
    id: z.string(),
    version: z.number().int(),
    status: z.enum(STATUSES),
    state: z.enum(STATES),
    purpose: z.string(),
    productId: z.string(),
    productName: z.string().nullable().openapi({ description: 'null = deleted' }),
    port: z.string().openapi({ description: 'The id of the output port' }),
    providerTeam: z.string(),
    contractId: z.string().nullable(),
    contractVersion: z.string().nullable(),
    contractChangedAt: instant.nullable(),
    contractChangedLevel: z.string().nullable(),
    consumerType: z.enum(CONSUMER_TYPES),
    consumerTeam: z.string().nullable(),
    consumerUser: z.string().nullable(),
    consumerProduct: z.string().nullable(),
    consumerName: z
      .string()
      .nullable()
      .openapi({ description: 'Of the person, the team or the data product; null = deleted' }),
    roles: z.array(z.string()),
    startOn: day,
    endOn: day,
    reassessOn: day,
    requestedAt: instant,
    requestedByName: z.string().nullable(),
    decidedAt: instant.nullable(),
    decidedByName: z.string().nullable(),
    decisionReason: z.string().nullable(),
    endReason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it was canceled; null = no reason was given' }),
    provisioningStatus: z
      .enum(PROVISIONING_STATUSES)
      .nullable()
      .openapi({ description: 'null = no report yet' }),
    isOwnRequest: z.boolean().openapi({
      description: 'Whether the caller cannot approve it, because it is the own request',
    }),
  })
  .openapi('ListedAgreement')

/** An agreement in a list, parsed. */
export type ListedAgreement = z.infer<typeof listedAgreement>

const count = z
  .int()
  .min(0)
  .max(COUNTED_MAX + 1)

const agreementCounts = z.object({
  requested: count,
  active: count,
  expiring: count,
  rejected: count,
  ended: count,
})

/** A page of a list. */
export const agreementPage = z
  .object({
    agreements: z.array(listedAgreement),
    counts: agreementCounts.nullable().openapi({ description: 'null = not the first page' }),
    next: z.string().nullable().openapi({ description: '`after` of the next page' }),
  })
  .openapi('AgreementPage')

/** A page of a list, parsed. */
export type AgreementPage = z.infer<typeof agreementPage>

/** A version of an agreement. */
const agreementVersion = z.object({
  version: z.int(),
  at: instant,
  state: z.string().nullable(),
  byName: z.string().nullable().openapi({ description: 'null = deleted' }),
})

const decision = {
  isDecider: z.boolean().openapi({ description: 'Whether the caller may approve the request' }),
  deciders: z.array(z.string()).openapi({
    description: 'Names of others who may approve the request',
  }),
}

/** An agreement with what its page shows. */
export const agreementDetails = listedAgreement
  .extend({
    portName: z.string().nullable().openapi({
      description: 'null = the data product no longer has the output port',
    }),
    ...decision,
    contractRevision: z.int().nullable().openapi({
      description: 'The version of the contract in its history when it was approved; null = none',
    }),
    reports: z
      .array(
        z.object({
          provisioning: accessProvisioning,
          reportedAt: instant,
          byName: z.string().nullable(),
        }),
      )
      .openapi({ description: 'Of connectors about provisioning, the newest first' }),
    history: z.array(agreementVersion).openapi({ description: 'The newest versions first' }),
  })
  .openapi('AgreementDetails')

/** An agreement with what its page shows, parsed. */
export type AgreementDetails = z.infer<typeof agreementDetails>

/** A version of an agreement, and its author. */
export interface AgreementVersion {
  version: number
  at: string
  state: string | null
  principal: string
}

const portAccess = z.object({
  id: z.string().openapi({ description: 'The id of the agreement' }),
  port: z.string(),
  state: z.enum(['requested', 'upcoming', 'active']),
  consumerType: z.enum(CONSUMER_TYPES),
  endOn: day,
})

/** The access to a data product. */
export const accessSummary = z
  .object({
    productId: z.string(),
    readers: z
      .int()
      .min(0)
      .max(READERS_MAX + 1)
      .openapi({
        description: `Consumers with active access; ${READERS_MAX + 1} = there are more`,
      }),
    isOwn: z.boolean().openapi({ description: 'Whether a team of the caller owns it' }),
    mine: z
      .array(portAccess)
      .openapi({ description: 'Open agreements of the caller and of their teams' }),
  })
  .openapi('AccessSummary')

/** The access to a data product, parsed. */
export type AccessSummary = z.infer<typeof accessSummary>

/** An output port for which access can be requested. */
export const requestablePort = z
  .object({
    productId: z.string(),
    productName: z.string(),
    port: z.object({
      id: z.string(),
      name: z.string(),
      type: z.string().nullable(),
      contractId: z.string().nullable(),
      isAutoApproved: z.boolean().openapi({
        description: 'Whether access is granted to the caller at once',
      }),
    }),
    team: z.object({ id: z.string(), name: z.string().nullable() }),
    ...decision,
  })
  .openapi('RequestablePort')

/** An output port for which access can be requested, parsed. */
export type RequestablePort = z.infer<typeof requestablePort>

/** The outcome of one of several requests or decisions. */
export const outcome = z
  .object({
    id: z.string().nullable().openapi({ description: 'The id of the agreement; null = failed' }),
    state: z.enum(STATES).nullable(),
    problem: z
      .object({ code: z.enum(ERROR_CODES), detail: z.string() })
      .nullable()
      .openapi({ description: 'Why it failed; null = it did not' }),
  })
  .openapi('AccessOutcome')

/** The outcome of one of several requests or decisions, parsed. */
export type AccessOutcome = z.infer<typeof outcome>

/** The position of an agreement in a list. */
export interface AgreementCursor {
  /** An instant, or the day on which it ends. */
  at: string
  id: string
}
