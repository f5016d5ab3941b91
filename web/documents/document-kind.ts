import type { ComponentType } from 'react'
import type { DeclaredKind, RecordName } from '../../formats/record/kinds.ts'
import type { ResourcePermissions } from '../../formats/team/permission-names.ts'
import type { MediaType } from '../../formats/text/text.ts'
import { asText, type Path, type Value } from '../../formats/text/value.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import type { Schemas } from '../api/client.ts'

/** A document to begin with: the text of a new one, or a proposal to change one that exists. */
export interface DocumentStart {
  text: string
  mediaType: MediaType
  /** A sentence about its origin. */
  note?: string
  /** Distinguishes drafts with different templates: `odps`. */
  key?: string
}

/** A form in which a new document can be begun. */
export interface DocumentTemplate extends DocumentStart {
  /** The display name of the format: `ODPS 1.1`. */
  title: string
}

/** One thing that is wrong or odd about a text, and where; line and column count from 1. */
export interface TextProblem {
  severity: 'error' | 'warning'
  field: string
  message: string
  line: number
  column: number
}

/** The properties of a kind's form. */
export interface DocumentFormProps {
  /** The parsed text; numbers are plain ones. */
  value: Value
  problems: readonly TextProblem[]
  /** The saved document, with which changes are counted; undefined = there is none, or it is not parsed yet. */
  base: Value | undefined
  /** Whether the document is yet to be created: only then it may be given its id. */
  isNew: boolean
  /**
   * Changes the text only where the form was changed. Several edits are one step. Returns false if the layout
   * of the text does not allow it; the person was notified.
   */
  onEdit: (...edits: TextEdit[]) => Promise<boolean>
  /** Records that a field was left; from then on its problems are shown. */
  onTouch: (path: Path) => void
  /** Unfolds what holds a field, a dotted path, and focuses the field; one that the form lacks is shown in the source. */
  onShowField: (field: string) => void
}

/** A kind of document: how it is called, where it lives, and how it is edited. */
export interface DocumentKind {
  /** By which reader it is checked. */
  reader: 'data-product' | 'data-contract' | RecordName
  /** Within a sentence: `data product`. */
  called: string
  /** The beginning of its permissions; undefined = only owners of the organization write such documents. */
  permissions: ResourcePermissions | undefined
  /** Whether its page shows next steps, for `next` in its address, after a document is saved. */
  hasNextSteps?: true
  /** A sentence about what is deleted with a document and cannot be restored; absent = nothing. */
  deletionNote?: string
  /** The address of the API: `/api/dataproducts`. */
  api: '/api/dataproducts' | '/api/datacontracts' | DeclaredKind['collection']
  list: { title: string; href: string }
  page: (id: string, query?: Readonly<Record<string, string>>) => string
  /** The address of the editor; `version` names the old version to restore. */
  editPage: (id: string, query?: Readonly<Record<string, number>>) => string
  versionsPage: (id: string, query?: Readonly<Record<string, string>>) => string
  /** The first is taken unless another is chosen. */
  templates: readonly DocumentTemplate[]
  /** The id that a text gives the document; undefined = none. */
  getId: (value: Value) => string | undefined
  getName: (value: Value) => string | undefined
  /** The team that a text makes the owner; undefined = none, null = no team can own such documents. */
  getOwner: (value: Value) => string | undefined | null
  /** The paths of status and version. Absent = such documents have neither. */
  getPaths?: (value: Value) => { status: Path; version: Path }
  /** Returns the newest version of the standard if a text has an older one. Absent = there is one version. */
  getNewerVersion?: (value: Value) => string | undefined
  /** Returns why the form cannot show the text; undefined if it can. */
  formReason: (value: Value) => string | undefined
  /** Describes what a deletion affects, if data products do not read such documents. */
  DeletionEffect?: ComponentType<DeletionEffectProps>
  /** `prepare` loads its code before it is shown. */
  Form: ComponentType<DocumentFormProps> & { prepare: () => void }
}

/** A document that is to be deleted. */
export interface DeletionEffectProps {
  id: string
  /** The documents that use it; undefined = documents do not refer to such documents. */
  usedBy: Schemas['Plan']['usedBy']
}

/** Returns a text without the spaces around it; undefined = there is none. */
export function toFilledText(value: Value | undefined): string | undefined {
  const text = asText(value)?.trim()
  return text === '' ? undefined : text
}

/** The address of a document in the API. */
export function toApiPath(kind: Pick<DocumentKind, 'api'>, id: string): string {
  return `${kind.api}/${encodeURIComponent(id)}`
}
