import { z } from '@hono/zod-openapi'
import { INCIDENT_KINDS } from '../../ledger/incidents/incident.ts'

// Incidents as the API returns them.

/** The states of an incident. */
export const INCIDENT_STATUSES = ['open', 'acknowledged', 'resolved'] as const

/** The maximum length of a note. */
export const NOTE_CHARACTERS_MAX = 1000

const instant = z.string().openapi({ format: 'date-time' })

const audience = z.object({
  at: instant,
  occasion: z.enum(['opened', 'resolved']),
  people: z.record(z.string(), z.int()).openapi({
    description:
      'The number of people by the reason for which they are notified: owner, following, consumer',
  }),
  teams: z.array(z.string()).openapi({ description: 'The teams of the owner and the providers' }),
  mailedCount: z.int().openapi({ description: 'People who get an e-mail at once' }),
  digestCount: z.int().openapi({ description: 'People who find it in their digest' }),
  channelCount: z.int().openapi({ description: 'Channels of teams' }),
})

/** An incident of a data contract. */
export const incident = z
  .object({
    id: z.uuid(),
    kind: z.enum(INCIDENT_KINDS),
    status: z.enum(INCIDENT_STATUSES),
    dataContractId: z.string(),
    dataContractName: z.string(),
    ownerId: z.string().nullable().openapi({ description: 'The team that owns the contract' }),
    providerIds: z
      .array(z.string())
      .openapi({ description: 'The teams of the data products that provide its data' }),
    server: z.string().openapi({ description: 'A server of the contract; empty = all of them' }),
    severity: z.enum(['warning', 'error']),
    title: z.string().openapi({ description: 'One line' }),
    facts: z.record(z.string(), z.unknown()).openapi({
      description: 'Facts by kind; never with rows of the data',
    }),
    notified: z
      .array(audience)
      .openapi({ description: 'Who was notified, at most 20 times, oldest first' }),
    openedAt: instant,
    openedBy: z.string(),
    acknowledgedAt: instant.nullable(),
    acknowledgedBy: z.string().nullable(),
    note: z.string().nullable(),
    resolvedAt: instant.nullable(),
    resolvedBecause: z.string().nullable(),
    version: z.int().openapi({ description: 'Counts its changes' }),
  })
  .openapi('Incident')

/** An incident of a data contract, parsed. */
export type Incident = z.infer<typeof incident>
