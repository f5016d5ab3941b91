import { z } from '@hono/zod-openapi'
import { acceptance, FINDING_STATUSES } from '../acceptance.ts'
import { FINDING_KINDS } from './grants.ts'

/** Findings and grants as clients see them. */

const instant = z.string().openapi({ format: 'date-time' })

const grantee = z.object({
  kind: z.enum(['user', 'role', 'group', 'public']),
  name: z.string().openapi({ description: 'In the spelling of the platform; empty for everyone' }),
})

const consumer = z.object({
  kind: z.enum(['team', 'data-product', 'user']),
  id: z.string(),
  name: z.string().nullable(),
})

const rights = {
  tableCount: z.int().openapi({ description: 'The number of tables of the port that it reads' }),
  via: z
    .string()
    .nullable()
    .openapi({ description: 'A role by which it reads; null = directly, or hidden' }),
  writes: z
    .array(z.string())
    .openapi({ description: 'Privileges to write, in words of the platform' }),
  hasGrantOption: z.boolean(),
  isContainerWide: z.boolean().openapi({
    description: 'Granted on a whole schema, database or server',
  }),
  isColumnsOnly: z.boolean(),
}

/** A deviation of grants from access agreements. */
export const accessFinding = z
  .object({
    id: z.string(),
    kind: z.enum(FINDING_KINDS),
    status: z.enum(FINDING_STATUSES),
    isRead: z.boolean().openapi({
      description:
        'false = the last run could not read again what the finding is about, so nothing can resolve it',
    }),
    dataProductId: z.string(),
    dataProductName: z.string().nullable(),
    ownerId: z.string().nullable(),
    outputPortId: z.string(),
    integration: z.string().nullable(),
    isHidden: z.boolean().openapi({
      description: 'true = names of the platform and people are not visible to the caller',
    }),
    grantee: grantee.nullable(),
    consumer: consumer.nullable(),
    accessId: z.string().nullable().openapi({ description: 'The agreement that it is about' }),
    ...rights,
    since: instant,
    firstRunId: z.string().nullable(),
    changedAt: instant,
    notReadSince: instant.nullable(),
    resolvedAt: instant.nullable(),
    resolvedBecause: z.enum(['run', 'agreement', 'link', 'identity', 'disabled']).nullable(),
    acceptance: acceptance.nullable(),
    mayAccept: z.boolean(),
  })
  .openapi('AccessFinding')

/** A deviation of grants from access agreements, as clients see it. */
export type AccessFinding = z.infer<typeof accessFinding>

const portGrantee = grantee.extend({
  ...rights,
  isAdministrator: z.boolean(),
  consumer: consumer.nullable(),
})

/** The grants on the tables of an output port in one integration. */
const integrationGrants = z.object({
  integration: z.string(),
  name: z.string(),
  state: z.enum(['off', 'not_read', 'incomplete', 'complete']).openapi({
    description: 'incomplete = access that is not listed may exist',
  }),
  reason: z.string().nullable(),
  readAt: instant.nullable(),
  tables: z.array(z.array(z.string())).openapi({ description: 'Paths of at most 100 tables' }),
  tableCount: z.int(),
  mappedCount: z.int().openapi({ description: 'Names with a known consumer that can read' }),
  unknownCount: z
    .int()
    .openapi({ description: 'Names without a known consumer that have a grant' }),
  isPublic: z.boolean().openapi({ description: 'Everyone who can log in can read a table' }),
  omittedCount: z
    .int()
    .openapi({ description: 'Deviations beyond the 1000 of the port, which are not listed' }),
  grantees: z.array(portGrantee).nullable().openapi({
    description: 'At most 1000; null = names of the platform are not visible to the caller',
  }),
})

/** The grants on the tables of an output port. */
export const portGrants = z
  .object({
    dataProductId: z.string(),
    outputPortId: z.string(),
    isWhole: z.boolean().openapi({
      description: 'Every model of the contract is linked with a table',
    }),
    integrations: z.array(integrationGrants),
    limits: z.array(z.string()).openapi({ description: 'What the comparison does not follow' }),
  })
  .openapi('OutputPortGrants')

/** The grants on the tables of an output port, as clients see them. */
export type PortGrants = z.infer<typeof portGrants>

/** The grants on the tables of an output port in one integration, as clients see them. */
export type IntegrationGrants = z.infer<typeof integrationGrants>
