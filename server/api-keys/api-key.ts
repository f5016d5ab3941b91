import { z } from '@hono/zod-openapi'
import { SCOPES, type Scope } from '../access/caller.ts'
import { isCalendarDate, type Instant } from '../kit/clock.ts'
import type { CalendarDate } from '../tables.ts'

/**
 * A key lets a program act for a person, a team or the whole organization. Its secret is shown once
 * and only its hash is kept; it ends on a day that is fixed at its creation, or never.
 */

/** Keys of one organization at most, the expired ones included. The store holds it as a constraint. */
export const API_KEYS_MAX = 100

/** A display name has this many characters at most. */
export const DISPLAY_NAME_CHARACTERS_MAX = 200

/** What a new key is to be. */
export interface NewApiKey {
  scope: Scope
  /** External id or internal id of the team; only for a team's key. */
  team: string | undefined
  /** The person whose powers a personal key has. */
  userId: string | undefined
  displayName: string
  /** The last day on which it works, in UTC; undefined = it never expires. */
  expiresOn: CalendarDate | undefined
}

/** A key as lists show it: everything but the secret. */
export interface ApiKey {
  id: string
  displayName: string
  scope: Scope
  team: string | null
  userId: string | null
  expiresOn: CalendarDate | null
  expired: boolean
  createdAt: Instant
  createdBy: string
  lastUsedAt: Instant | null
}

/** A date on the wire, strict: `2026-02-30` is an error. */
export const dateOnWire = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .openapi({ format: 'date' })

/** What `POST /api/api-keys` takes. */
export const apiKeyRequest = z
  .object({
    scope: z.enum(SCOPES),
    teamId: z
      .string()
      .min(1)
      .nullish()
      .openapi({ description: 'External id of the team, or its internal UUID' }),
    displayName: z.string().trim().max(DISPLAY_NAME_CHARACTERS_MAX).nullish(),
    expiresAt: dateOnWire
      .nullish()
      .openapi({ description: 'The last day on which the key works, in UTC; absent = never ends' }),
  })
  .openapi('ApiKeyRequest')

/** What `POST /api/api-keys` answers: the only time that the secret is shown. */
export const createdApiKey = z
  .object({
    organizationApiKeyId: z.uuid(),
    displayName: z.string(),
    key: z.string().openapi({ description: 'The secret; it is never shown again' }),
    scope: z.enum(SCOPES),
    teamId: z.string().nullable(),
    expiresAt: z.string().nullable().openapi({ format: 'date' }),
  })
  .openapi('CreatedApiKey')
