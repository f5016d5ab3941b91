import type { RawBuilder } from 'kysely'
import { z } from '@hono/zod-openapi'
import { isUuid } from '../../platform/kit/uuid.ts'

/**
 * A principal is an actor as recorded in history, events and runs: `user:<uuid>`, `api-key:<uuid>`,
 * `integration:<externalId>`, `directory:<uuid of the key>` or `system`. Pages show its name.
 */

/** The maximum number of principals of a request. */
export const PRINCIPALS_MAX = 100

/** The kinds of principals. */
const PRINCIPAL_KINDS = ['user', 'api-key', 'system', 'integration', 'directory'] as const

/** A principal and its name. */
export const namedPrincipal = z
  .object({
    principal: z.string(),
    name: z.string().nullable().openapi({
      description: 'null = not (or no longer) a member or key of this organization',
    }),
    kind: z.enum(PRINCIPAL_KINDS),
  })
  .openapi('NamedPrincipal')

/** A principal and its name. */
export type NamedPrincipal = z.infer<typeof namedPrincipal>

/** The name of the catalog for its automatic actions. */
export const SYSTEM_NAME = 'Portbook'

/** The name of a directory, whichever of its keys it uses. */
export const DIRECTORY_NAME = 'Directory'

/** Parses a principal. Unknown kinds count as the catalog itself. */
export function parsePrincipal(principal: string): { kind: NamedPrincipal['kind']; id: string } {
  const at = principal.indexOf(':')
  const word = principal.slice(0, at)
  const id = principal.slice(at + 1)
  if ((word === 'user' || word === 'api-key') && isUuid(id)) return { kind: word, id }
  if (word === 'directory' && isUuid(id)) return { kind: word, id }
  if (word === 'integration') return { kind: word, id }
  return { kind: 'system', id: '' }
}

/** The keys and integrations whose names are visible, as conditions on a row of `api_key` and of `integration`. */
export interface VisibleNames {
  keys: RawBuilder<unknown>
  integrations: RawBuilder<unknown>
}
