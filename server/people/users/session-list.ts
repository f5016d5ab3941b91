import { z } from '@hono/zod-openapi'
import { SESSION_METHODS } from './session.ts'

const instant = z.string().openapi({ format: 'date-time' })

/** A session as its person and the owners of an organization see it: without any secret. */
const listedSession = z
  .object({
    id: z.uuid(),
    isCurrent: z.boolean().openapi({ description: 'Whether it is the session of the request' }),
    device: z.string().nullable().openapi({
      description:
        'The browser and the device in words, as they describe themselves; null = unknown',
    }),
    client: z.string().nullable().openapi({
      description:
        'The address of the client at sign-in: an IPv4 address or an IPv6 network; null = unknown',
    }),
    method: z.enum(SESSION_METHODS).nullable().openapi({
      description: 'The way in which it began; null = before this was recorded',
    }),
    provider: z
      .string()
      .nullable()
      .openapi({ description: 'The identity provider, if it began with one' }),
    organization: z.string().nullable().openapi({
      description: 'The only organization in which it acts; null = any of the person',
    }),
    startedAt: instant,
    lastUsedAt: instant.openapi({ description: 'To the minute' }),
    endsAt: instant.openapi({ description: 'When it ends if it is not used again' }),
  })
  .openapi('ListedSession')

/** Sessions of a person, the last used first. */
export const sessionList = z.array(listedSession)

/** A session in a list. */
export type ListedSession = z.infer<typeof listedSession>

/** Sessions of a member, for owners. */
export const memberSessions = z
  .object({
    sessions: sessionList,
    actsElsewhere: z.boolean().openapi({
      description:
        'Whether the person is a member of other organizations. Their sessions that act there too are not listed',
    }),
  })
  .openapi('MemberSessions')

/** Sessions of a member, for owners. */
export type MemberSessions = z.infer<typeof memberSessions>
