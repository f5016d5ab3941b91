import { z } from '@hono/zod-openapi'

/**
 * A principal is who did something, as history, events and runs name it: `user:<uuid>`,
 * `api-key:<uuid>`, `integration:<externalId>` or `system`. People want to read a name.
 */

/** Principals that are asked for at once, at most. */
export const PRINCIPALS_MAX = 100

/** What a principal can be. */
export const PRINCIPAL_KINDS = ['user', 'api-key', 'system', 'integration'] as const

/** A principal and its name. */
export const namedPrincipal = z
  .object({
    principal: z.string(),
    name: z.string().nullable().openapi({
      description: 'null = not a member, or no key, of this organization, or no longer',
    }),
    kind: z.enum(PRINCIPAL_KINDS),
  })
  .openapi('NamedPrincipal')

/** A principal and its name. */
export type NamedPrincipal = z.infer<typeof namedPrincipal>

/** How the catalog itself is called where it acted without being asked. */
export const SYSTEM_NAME = 'Portbook'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Parts a principal; a word that is none of the known ones counts as the catalog itself. */
export function partsOf(principal: string): { kind: NamedPrincipal['kind']; id: string } {
  const at = principal.indexOf(':')
  const word = principal.slice(0, at)
  const id = principal.slice(at + 1)
  if ((word === 'user' || word === 'api-key') && UUID.test(id)) return { kind: word, id }
  if (word === 'integration') return { kind: word, id }
  return { kind: 'system', id: '' }
}
