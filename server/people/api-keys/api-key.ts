import { z } from '@hono/zod-openapi'
import { KEY_SCOPES, KEY_SCOPE_NAMES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { isCalendarDate, type Instant } from '../../platform/kit/clock.ts'
import type { CalendarDate } from '../../platform/tables.ts'
import { NAMES_REMARK, permissionList } from '../../requests/access/permission-list.ts'
import { PERMISSIONS } from '../../requests/access/permission.ts'

/**
 * An API key lets a program act for a person, a team or the whole organization. Its secret is shown once, and only a
 * hash is stored. It expires on a day that is set at its creation, or never.
 */

/** The maximum number of keys of an organization, including expired ones; also a database constraint. */
export const API_KEYS_MAX = 100

/** The maximum length of a display name. */
const DISPLAY_NAME_CHARACTERS_MAX = 200

/** The number of stored characters of a secret: `pbk_` and 4 of the other 49. */
export const SECRET_PREFIX_CHARACTERS = 8

/** The settings of a new key. */
export interface NewApiKey {
  scope: KeyScope
  /** The external or internal ID of the team; only for team keys. */
  team: string | undefined
  /** Whether `team` can only be an external ID. */
  teamIsExternal?: boolean
  /** The owner of a personal key. */
  userId: string | undefined
  displayName: string
  /** The last day on which it works, in UTC; undefined = it never expires. */
  expiresOn: CalendarDate | undefined
  /** The permissions to which it is limited; undefined = those of its scope, also future ones. */
  permissions?: readonly string[] | undefined
}

/** A key in a list, without its secret. */
export interface ApiKey {
  id: string
  displayName: string
  /** The beginning of the secret; null for keys created before it was stored. */
  secretPrefix: string | null
  scope: KeyScope
  /** The permissions to which it is limited; null = those of its scope. */
  permissions: string[] | null
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

/** A valid calendar date: `2026-02-30` is an error. */
const dateOnWire = z
  .string()
  .refine(isCalendarDate, 'must be a date, YYYY-MM-DD')
  .openapi({ format: 'date' })

const limitRequest = permissionList.nullish().openapi({
  description: `The permissions to which the key is limited; \`[]\` = it only reads. Absent or null = all that the caller can give. Read-only scopes take none. ${NAMES_REMARK}`,
})

// Permissions that a read-only key ignored would look as if it had them.
function requireNoLimit({ scope, permissions }: KeyLimit, context: z.RefinementCtx): void {
  if (!KEY_SCOPES[scope].isReadOnly || (permissions ?? []).length === 0) return
  const message = `must be absent or empty: keys of scope ${scope} only read`
  context.addIssue({ code: 'custom', path: ['permissions'], message })
}

/** The body of `POST /api/api-keys`. */
export const apiKeyRequest = z
  .strictObject({
    scope: z.enum(KEY_SCOPE_NAMES),
    teamId: z
      .string()
      .min(1)
      .nullish()
      .openapi({ description: 'The external ID of the team, or its internal UUID' }),
    displayName: z.string().trim().max(DISPLAY_NAME_CHARACTERS_MAX).nullish(),
    expiresAt: dateOnWire.nullish().openapi({
      description: 'The last day on which the key works, in UTC; absent = never expires',
    }),
    permissions: limitRequest,
  })
  .superRefine(requireNoLimit)
  .openapi('ApiKeyRequest')

const keyPermissions = z.array(z.string()).openapi({
  description: 'The permissions with which the key may write; empty for a key that only reads',
})

/** A scope, and the permissions to which a key of it is limited; null and undefined = those of the scope. */
interface KeyLimit {
  scope: KeyScope
  permissions?: readonly string[] | null | undefined
}

/** Returns the permissions with which a key may write at most; a personal key also follows its person. */
export function listKeyPermissions({ scope, permissions }: KeyLimit): string[] {
  return KEY_SCOPES[scope].isReadOnly ? [] : [...(permissions ?? PERMISSIONS)]
}

/** The answer of `POST /api/api-keys`, the only one with the secret. */
export const createdApiKey = z
  .object({
    organizationApiKeyId: z.uuid(),
    displayName: z.string(),
    key: z.string().openapi({ description: 'The secret; it is never shown again' }),
    scope: z.enum(KEY_SCOPE_NAMES),
    teamId: z.string().nullable(),
    expiresAt: z.string().nullable().openapi({ format: 'date' }),
    permissions: keyPermissions,
  })
  .openapi('CreatedApiKey')

/** The answer of `POST /api/api-keys`. */
export type CreatedApiKey = z.infer<typeof createdApiKey>

/** The body of `POST /ui/api-keys`: a key of any scope. */
export const uiApiKeyRequest = z
  .strictObject({
    scope: z.enum(KEY_SCOPE_NAMES),
    teamId: z
      .string()
      .min(1)
      .max(256)
      .nullish()
      .openapi({ description: 'The external ID of the team; only for team scopes' }),
    displayName: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(
        DISPLAY_NAME_CHARACTERS_MAX,
        `must have at most ${DISPLAY_NAME_CHARACTERS_MAX} characters`,
      ),
    expiresAt: dateOnWire.nullish().openapi({
      description: 'The last day on which the key works, in UTC; absent or null = never expires',
    }),
    permissions: limitRequest,
  })
  .superRefine((request, context) => {
    const { scope, teamId } = request
    requireNoLimit(request, context)
    const isOfTeam = KEY_SCOPES[scope].holder === 'team'
    const isNamed = teamId !== null && teamId !== undefined
    if (isOfTeam === isNamed) return
    const message = isOfTeam ? 'is required for team keys' : 'is only allowed for team keys'
    context.addIssue({ code: 'custom', path: ['teamId'], message })
  })
  .openapi('UiApiKeyRequest')

/** The body of `POST /ui/api-keys`. */
export type UiApiKeyRequest = z.infer<typeof uiApiKeyRequest>

/** A key in the list of the page, with names instead of IDs and without its secret. */
const uiApiKey = z
  .object({
    organizationApiKeyId: z.uuid(),
    displayName: z.string(),
    secretPrefix: z.string().nullable().openapi({
      description:
        'The beginning of the secret, which distinguishes keys with the same name; null = not stored',
    }),
    scope: z.enum(KEY_SCOPE_NAMES),
    permissions: keyPermissions,
    isLimited: z.boolean().openapi({
      description:
        'Whether it has fewer permissions than its scope, also of those that are added later',
    }),
    teamId: z.string().nullable(),
    teamName: z.string().nullable(),
    personName: z.string().nullable().openapi({ description: 'The owner of a personal key' }),
    createdAt: z.string().openapi({ format: 'date-time' }),
    createdBy: z.string().openapi({ description: 'The name of the creator' }),
    lastUsedAt: z
      .string()
      .nullable()
      .openapi({ format: 'date-time', description: 'To the minute; null = never' }),
    expiresAt: z.string().nullable().openapi({ format: 'date', description: 'null = never' }),
    expired: z.boolean(),
    isMine: z.boolean().openapi({ description: 'Whether it is a personal key of the caller' }),
    mayDelete: z.boolean(),
  })
  .openapi('UiApiKey')

/** The keys that a person may see, expired ones last. */
export const uiApiKeys = z
  .object({
    keys: z.array(uiApiKey),
    count: z
      .int()
      .openapi({ description: 'All keys of the organization, including those not listed' }),
    max: z.int(),
  })
  .openapi('UiApiKeys')

/** The keys that a person may see. */
export type UiApiKeys = z.infer<typeof uiApiKeys>

/** A key in the list of the page. */
export type UiApiKey = z.infer<typeof uiApiKey>
