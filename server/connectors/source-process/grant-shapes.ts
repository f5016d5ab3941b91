import { z } from 'zod'
import { GRANT_EFFECTS, GRANTEE_KINDS, GRANTEE_NAME_BYTES_MAX, type GrantBatch } from '../grant.ts'
import { COLUMNS_MAX, SENTENCE_CHARACTERS_MAX } from './asset-shapes.ts'

/** The shapes of a source's grants, as reported by the process that reads it; everything is bounded. */

const ITEMS_MAX = 1000
// Longer ones fit into no index.
const PATH_BYTES_MAX = 2000

const name = z.string().refine(isShort, `has more than ${GRANTEE_NAME_BYTES_MAX} bytes`)
const sentence = z.string().max(SENTENCE_CHARACTERS_MAX)
// An empty path is everything that the source has.
const path = z
  .array(z.string())
  .max(10)
  .refine(isShortPath, `has more than ${PATH_BYTES_MAX} bytes`)
const grantee = z.strictObject({ kind: z.enum(GRANTEE_KINDS), name })

const sourceGrant = z.strictObject({
  path,
  grantee,
  privilege: name,
  effect: z.enum(GRANT_EFFECTS),
  columns: z.array(z.string()).max(COLUMNS_MAX).exactOptional(),
  withGrant: z.boolean(),
  inheritedFrom: name.exactOptional(),
})

const sourceMember = z.strictObject({
  role: grantee,
  member: grantee,
  isInherited: z.boolean(),
  isSettable: z.boolean(),
})

const outcome = z.strictObject({ path, isWhole: z.boolean(), message: sentence.exactOptional() })

/** A batch of grants. */
export const grantBatch: z.ZodType<GrantBatch> = z.strictObject({
  grants: z.array(sourceGrant).max(ITEMS_MAX).exactOptional(),
  members: z.array(sourceMember).max(ITEMS_MAX).exactOptional(),
  administrators: z.array(grantee).max(ITEMS_MAX).exactOptional(),
  outcomes: z.array(outcome).max(ITEMS_MAX).exactOptional(),
  membership: z.strictObject({ message: sentence.exactOptional() }).exactOptional(),
})

function isShort(text: string): boolean {
  return Buffer.byteLength(text) <= GRANTEE_NAME_BYTES_MAX
}

function isShortPath(path: readonly string[]): boolean {
  return Buffer.byteLength(JSON.stringify(path)) <= PATH_BYTES_MAX
}
