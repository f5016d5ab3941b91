// A record is a small JSON document that the catalog itself defines: a source system, a glossary term. A kind of record
// is declared as data, and everything else follows from the declaration: storage, API, versions, events, search,
// export, pages.

import type { ObjectShape } from '../shape/shape.ts'
import type { ResourcePermissions } from '../team/permission-names.ts'
import type { Path } from '../text/value.ts'

/** The icons of records. The pages have a picture for each. */
export type RecordIcon = 'server' | 'book' | 'scale' | 'tag' | 'award' | 'shield'

/** The declaration of a kind of record. */
export interface RecordKind {
  /** The kind as it is stored: `source-system`. */
  kind: string
  /** The address of its list in the API: `/api/sourcesystems`. */
  collection: `/api/${string}`
  /** The kind in messages: `source system`. */
  called: string
  /** The heading of a list: `Source systems`. */
  label: string
  /** The beginning of the names of its events and operations: `SourceSystem`. */
  event: string
  /** The kind in search and plans: `SOURCE_SYSTEM`. */
  resourceType: string
  /** The first segment of the addresses of its pages: `source-systems`. */
  pages: string
  /** The rank among equal matches of a search. Other kinds of documents have 0 to 3. */
  rank: number
  icon: RecordIcon
  /**
   * The beginning of the permissions on its records. Absent = only organization owners and organization keys write them.
   */
  permissions?: ResourcePermissions
  /** The group of its list in the navigation. */
  group: 'glossary' | 'governance' | 'platform'
  /** One sentence for people who see an empty list: what such a record describes. */
  purpose: string
  /**
   * The fields of the document in the order of the form. Unknown fields are allowed and kept. Required fields and
   * allowed values are enforced, because clients rely on them.
   */
  shape: ObjectShape
  /** The paths of the fields that the catalog reads. */
  paths: RecordPaths
  /** Whether descriptions are Markdown. */
  isMarkdown?: boolean
  /** Fields that are stored for other clients and have no effect here; forms do not offer them. */
  fieldsWithoutEffect?: readonly string[]
  /** Whether a record need not name its owner; only if it has a path of the owner. */
  mayBeUnowned?: boolean
  /** Whether ids may have slashes. */
  hasSlashIds?: boolean
  /** Whether ids are UUIDs. */
  hasUuidIds?: boolean
  /** Whether two ids must differ in more than their letter case. */
  ignoresIdCase?: boolean
  /** The usual order of the list, and whether it is returned as a whole. Absent = by creation, in pages. */
  list?: { order: 'id' | 'rank'; isWhole?: boolean }
  /** A further form in which clients can read a record, by its media type. */
  alternative?: { mediaType: string; form: AlternativeForm }
  /** The documents that use a record. Absent = documents do not use records of the kind. */
  uses?: RecordUse
}

/** The documents that use records of a kind, and the words of the pages for it. */
export interface RecordUse {
  /** The kinds of the documents. */
  kinds: readonly ('data-contract' | 'data-product' | 'asset')[]
  /** The way in which a document names a record. */
  by: RecordMention
  /** The noun of the documents. */
  noun: string
  /** After one document, and after several. */
  verbs: readonly [string, string]
  /** A sentence: the effect that the deletion of a record has on them. */
  effect: string
  /** The sentence without any use. */
  none: string
}

/**
 * The way in which a document names a record: a reference to its id, or a value that is one of the texts of the record at
 * some paths of JSONPath. Classifications are compared in any letter case.
 */
type RecordMention =
  | { reference: 'definition' | 'system' }
  | { values: 'tags' | 'classifications'; paths: readonly string[] }

/** The further forms of records. `schema-property`: the property of a schema in ODCS. */
export type AlternativeForm = 'schema-property'

/** The paths of the fields of a record that the catalog reads. A kind need not have all of them. */
interface RecordPaths {
  id: Path
  /** Absent = the id is the name. */
  name?: Path
  /**
   * The external id of the owning team, which must exist. Without it, records of the kind have no owner, and only
   * organization owners and organization keys can write them.
   */
  owner?: Path
  description?: Path
  status?: Path
  tags?: Path
  /** A map of addresses, whose names and values are found by search. */
  links?: Path
  /** The number by which a list is sorted; records without one are last. */
  rank?: Path
}
