import type { RawBuilder } from 'kysely'
import type { z } from '@hono/zod-openapi'
import type { Caller } from '../requests/access/caller.ts'
import type { ReadingServices, Services } from '../requests/http/endpoint.ts'
import type { Plan } from '../ledger/history/plan.ts'
import type { DocumentKind } from '../platform/kinds.ts'
import type { Affected } from '../ledger/ports/port.ts'
import type { RealitySubject } from '../platform/reality-change.ts'
import type { Database } from '../platform/tables.ts'
import type { AlternativeForm } from './alternative-form.ts'
import type { FoundDocument } from './document.ts'
import type { Consequences, ResourceKey } from './resource.ts'
import type { ResourceUses } from './resource-use.ts'
import type { DocumentDraft, DocumentTasks, WrittenDocument } from './task.ts'

/** The services that compute the consequences of a change. */
export type PlanningServices = ReadingServices & Pick<Services, 'baseUrl'>

/**
 * A kind of document that a team owns, such as one that a standard specifies: how it is read, and what a change of
 * it affects.
 */
export interface DocumentType<PlanData = unknown> {
  kind: DocumentKind
  nodesMax: number
  /** The maximum size of a document in bytes. */
  bytesMax: number
  /** The schema in the OpenAPI document. */
  schema: z.ZodType
  /** The sentence for callers who must not change a document without an owner. Absent = the general one. */
  unownedRule?: string
  /** The warning in the answer to a PUT of a document without an owner. Absent = none. */
  unownedWarning?: string
  /** The advice for a new document without an owner. Absent = in the document or with ?owner=. */
  ownerAdvice?: string
  /** Whether the document and its parts may be deprecated, so that versions record when that was announced. */
  hasParts?: boolean
  tasks: DocumentTasks<PlanData>
  /** Returns what a change or deletion touches of promises and assets. Absent = nothing. */
  getRealitySubject?(db: Database, change: RealityWrite): RealitySubject | Promise<RealitySubject>
  /** Computes the affected consumers and further warnings for the plan of a change. */
  getConsequences(work: PlanningServices, change: DocumentChange<PlanData>): Promise<Consequences>
  /** Finds a document whose id is too similar to a new one. */
  findIdConflict?(work: ReadingServices, key: ResourceKey): Promise<string | undefined>
  /** Asserts that the parts of a document that a change removes are unused. Errors: in_use. */
  assertUnused?(db: Database, removal: PartsRemoval): Promise<void>
  /** The rule for what a document decides in place of a person. Absent = it decides nothing. */
  decisions?: DecisionRule
  /** Returns a statement that updates what belongs to a new owner of a document; it reads the result named `written`. */
  followOwner?(organizationId: string, id: string, owner: string): RawBuilder<unknown>
  /** Finds the uses that prevent a deletion, as in `Resource`. */
  findUse?(work: ReadingServices, caller: Caller, id: string): Promise<ResourceUses | undefined>
  /** Lists the documents that use the document, as in `Resource`. */
  listUses?(work: ReadingServices, key: ResourceKey): Promise<Plan['usedBy']>
  /**
   * Lists the data products that read the document, and their teams. Absent = none can. Errors: document_too_costly,
   * overloaded.
   */
  listReaders?(work: ReadingServices, key: ResourceKey, json: string): Promise<Affected[]>
}

/** The rule for the decisions of a document. */
export interface DecisionRule {
  /** Requires the permissions of what a changed document decides. Errors: permission_missing. */
  require(caller: Caller, change: DecidingChange): void
  /** Builds the facts of a version whose parts decide something from now on. */
  buildFacts(caller: Caller, parts: readonly string[]): object
}

/** A change of what a document decides. */
interface DecidingChange extends Pick<
  DocumentDraft<unknown>,
  'newDecidingParts' | 'isHandedOver' | 'ownerId'
> {
  formerOwnerId: string | null
  /** Whether the team of the new owner exists. */
  isOwnerKnown: boolean
}

/** A write of a document that promises or assets may depend on. */
interface RealityWrite extends ResourceKey {
  isNew: boolean
  /** Undefined = the document is deleted. */
  row: Pick<WrittenDocument, 'own' | 'promises'> | undefined
}

/** The parts of a document that a change removes. */
interface PartsRemoval {
  organizationId: string
  id: string
  /** The ids of the parts, at least one. */
  parts: readonly string[]
}

/** A change that is planned. */
export interface DocumentChange<PlanData> {
  organizationId: string
  id: string
  planData: PlanData
  /** There is a document already, and it means something else. */
  isUpdate: boolean
}

/** The parameters of endpoints that read one document, and how they find it. */
export interface DocumentLookup<Query> {
  query: z.ZodType<Query>
  find(services: Services, organizationId: string, id: string, query: Query): Promise<FoundDocument>
  /** The only form in which `find` returns documents; absent = clients choose one. */
  only?: 'application/yaml'
  /** Further forms, which clients request by their media types. */
  alternatives?: readonly AlternativeForm[]
}
