import { z } from '@hono/zod-openapi'
import { SCOPES, type Scope } from '../access/caller.ts'
import { isCalendarDate, type Instant } from '../kit/clock.ts'
import type { CalendarDate } from '../tables.ts'

/**
 * A key lets a program act for a person, a team or the whole organization. Its secret is shown once
 * and only its hash is kept; it ends on a day that is fixed at its creation, or never.
 */

/** The maximum number of keys of an organization, including expired ones; a constraint in the database. */
export const API_KEYS_MAX = 100

/** A display name has this many characters at most. */
export const DISPLAY_NAME_CHARACTERS_MAX = 200

/** The number of stored characters of a secret: `pbk_` and 4 of its 49 others. */
export const SECRET_PREFIX_CHARACTERS = 8

/** The properties of a new key. */
export interface NewApiKey {
  scope: Scope
  /** External or internal id of the team; only for team keys. */
  team: string | undefined
  /** The team is named by its external id, and by nothing else. */
  teamIsExternal?: boolean
  /** The person of a personal key. */
  userId: string | undefined
  displayName: string
  /** The last day on which it works, in UTC; undefined = it never expires. */
  expiresOn: CalendarDate | undefined
}

/** A key as lists show it: everything but the secret. */
export interface ApiKey {
  id: string
  displayName: string
  /** The beginning of the secret; null for keys that are older than this column. */
  secretPrefix: string | null
  scope: Scope
  team: string | null
  teamName: string | null
  userId: string | null
  personName: string | null
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

/** The body of `POST /api/api-keys`. */
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

/** The response of `POST /api/api-keys`, the only one with the secret. */
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

/** The body of `POST /ui/api-keys`: a key of any scope. */
export const uiApiKeyRequest = z
  .strictObject({
    scope: z.enum(SCOPES),
    teamId: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .openapi({ description: 'External id of the team; only for the scopes of a team' }),
    displayName: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(DISPLAY_NAME_CHARACTERS_MAX, `has ${DISPLAY_NAME_CHARACTERS_MAX} characters at most`),
    expiresAt: dateOnWire.nullish().openapi({
      description: 'The last day on which the key works, in UTC; absent or null = never ends',
    }),
  })
  .superRefine(({ scope, teamId }, context) => {
    const isOfTeam = scope === 'team' || scope === 'team_read'
    const isNamed = teamId !== null && teamId !== undefined
    if (isOfTeam === isNamed) return
    const message = isOfTeam ? 'names the team whose key this is' : 'is only for keys of a team'
    context.addIssue({ code: 'custom', path: ['teamId'], message })
  })
  .openapi('UiApiKeyRequest')

/** The body of `POST /ui/api-keys`, parsed. */
export type UiApiKeyRequest = z.infer<typeof uiApiKeyRequest>

/** A key in the list of the page: with names instead of ids, without its secret. */
export const uiApiKey = z
  .object({
    organizationApiKeyId: z.uuid(),
    displayName: z.string(),
    secretPrefix: z.string().nullable().openapi({
      description:
        'The beginning of the secret, which distinguishes keys with the same name; null = not stored',
    }),
    scope: z.enum(SCOPES),
    teamId: z.string().nullable(),
    teamName: z.string().nullable(),
    personName: z.string().nullable().openapi({ description: 'Whose powers a personal key has' }),
    createdAt: z.string().openapi({ format: 'date-time' }),
    createdBy: z.string().openapi({ description: 'A name' }),
    lastUsedAt: z
      .string()
      .nullable()
      .openapi({ format: 'date-time', description: 'To the minute; null = never' }),
    expiresAt: z.string().nullable().openapi({ format: 'date', description: 'null = never' }),
    expired: z.boolean(),
    isMine: z.boolean().openapi({ description: "It is the caller's own personal key" }),
    mayDelete: z.boolean(),
  })
  .openapi('UiApiKey')

/** The keys that a person may see, the expired ones last. */
export const uiApiKeys = z
  .object({
    keys: z.array(uiApiKey),
    count: z.int().openapi({ description: 'All keys of the organization, seen or not' }),
    max: z.int(),
  })
  .openapi('UiApiKeys')

/** A key as the page lists it. */
export type UiApiKey = z.infer<typeof uiApiKey>
