import { z } from '@hono/zod-openapi'
import { ALL_KINDS } from '../../platform/kinds.ts'
import { newTable } from '../../../formats/name/table.ts'

/**
 * Erasing a person ends their access as leaving does, deletes what is theirs, and replaces their name and address. Their
 * account keeps its id, which the history names; texts that clients sent stay, and are listed (decision 0111).
 */

/** The name of an erased account, and of an invitation of its address. */
export const ERASED_PERSON = 'Erased person'

/** The name of a personal key of an erased account. */
export const ERASED_KEY = 'Erased key'

/** An organization of a person. */
export interface OrganizationOfPerson {
  organizationId: string
  organization: string
  isLastOwner: boolean
}

/** An account that can be erased. */
export interface ErasableAccount {
  id: string
  name: string
  email: string
}

const count = z.int().min(0)

/** The numbers of things that are deleted or end with a person. */
const erasureCounts = z.object({
  sessions: count,
  apiKeys: count.openapi({ description: 'Personal API keys' }),
  follows: count.openapi({ description: 'Followed and starred subjects' }),
  notifications: count,
  agreements: count.openapi({ description: 'Access agreements and requests that end' }),
  invitations: count.openapi({ description: 'Open invitations by the person, or to the address' }),
})

/** The numbers of things that are deleted or end with a person. */
export type ErasureCounts = z.infer<typeof erasureCounts>

const documentWithAddress = z.object({
  kind: z.string().openapi({ description: '`team`, `data-product`, `usage`' }),
  id: z.string(),
  page: z.string().nullable().openapi({ description: 'The address of its page; null = none' }),
  isFormer: z.boolean().openapi({ description: 'Only former or deleted versions contain it' }),
})

/** A document or report that contains the address of a person, and is not changed. */
export type DocumentWithAddress = z.infer<typeof documentWithAddress>

/** The maximum number of documents in an answer. */
export const DOCUMENTS_MAX = 200

/** The rows of each table in which an answer looks for the address. */
export const SEARCHED_ROWS_MAX = 5000

const documents = z.array(documentWithAddress).max(DOCUMENTS_MAX).openapi({
  description: 'Documents and reports that contain the address. They are not changed',
})
const isComplete = z.boolean().openapi({
  description: `False if there are more documents, or more than ${SEARCHED_ROWS_MAX} of a kind were to be searched`,
})

/** The answer before a member is erased. */
export const erasurePreview = z
  .object({ counts: erasureCounts, documents, isComplete })
  .openapi('ErasurePreview')

/** The answer after a member was erased. */
export const erasureResult = z.object({ documents, isComplete }).openapi('ErasureResult')

/** The address of the person, as a confirmation. */
export const erasureForm = z.strictObject({ email: z.string() })

const PAGES = newTable<string>({
  ...Object.fromEntries(ALL_KINDS.map(({ kind, pages }) => [kind, pages])),
  access: 'access',
  'test-result': 'test-results',
  integration: 'integrations',
  usage: 'data-products',
})

/** Returns the address of the page of a document; null = it has none. */
export function toPage(kind: string, id: string): string | null {
  const pages = PAGES[kind]
  return pages === undefined ? null : `/${pages}/${encodeURIComponent(id)}`
}
