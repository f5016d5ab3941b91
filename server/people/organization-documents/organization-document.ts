import type { z } from '@hono/zod-openapi'
import type { MediaType } from '../../../formats/text/text.ts'
import type { ErrorCode } from '../../platform/error-codes.ts'
import type { DirectoryMapping } from './directory-mapping.ts'

/**
 * An organization document is a group of settings that an organization has exactly once, and that clients read and
 * replace as one document: its features, its team roles. A kind is a declaration in `kinds/`. Members see the
 * settings that decide what they can do; only owners change them.
 */
export interface OrganizationDocumentKind {
  /** The kind as it is stored: `features`. */
  kind: string
  /** The address in the API. */
  address: `/api/${string}`
  /** The end of the names of its operations: `getOrganizationFeatures`. */
  operation: string
  /** The settings in messages: `features of the organization`. */
  called: string
  /** The path of its page. */
  page: '/settings' | `/settings/${string}`
  /** The fields. Other fields are allowed and kept. */
  schema: z.ZodType<object>
  /** The document of an organization that has not written one. */
  initial: object
  mediaTypes: readonly MediaType[]
  bytesMax: number
  /** Whether the text is stored as it was sent; otherwise the fields are, with null for missing ones. */
  isKeptAsSent: boolean
  /** The callers that may read it. */
  readers: Readers
  /** The error for invalid fields. */
  errorCode: ErrorCode
  /**
   * Lists the roles of team members that a document defines. Such a document can be replaced if at least one role
   * remains, and none that members have is removed.
   */
  listRoles?(document: string): string[]
  /** Lists the rows that are stored with a document: the mappings of groups to roles. */
  listMappings?(document: unknown): DirectoryMapping[]
  /** A field whose value follows from a document of another kind. */
  derived?: DerivedField
}

/** The callers that may read an organization document. Sign-ins read what their pages need. */
export type Readers =
  | 'any key'
  | 'an organization key or a session'
  | 'an owner of the organization'

/** A field of an organization document whose value follows from a document of another kind. */
interface DerivedField {
  name: string
  from: string
  compute(document: object): boolean
}

/** The stored text of an organization document. */
export interface OrganizationDocumentText {
  document: string
  mediaType: string
}

/** The maximum size of an organization document that people write by hand. */
export const SETTINGS_BYTES_MAX = 64 * 1024
