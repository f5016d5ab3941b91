import type { RawBuilder } from 'kysely'
import { z } from '@hono/zod-openapi'
import type { Change, Level } from '../../formats/diff/level.ts'
import type { Problem } from '../../formats/text/problem.ts'
import type { Path } from '../../formats/text/value.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { NewEvents } from '../ledger/events/event.ts'
import { change, type Plan } from '../ledger/history/plan.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import type { Body } from '../requests/http/body.ts'
import type { Conditions } from '../requests/http/conditional.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { DocumentKind } from '../platform/kinds.ts'
import type { Affected } from '../ledger/ports/port.ts'
import type { RealitySubject } from '../platform/reality-change.ts'
import type { Database } from '../platform/tables.ts'
import type { DocumentRow, RegisteredDocument } from './document.ts'
import type { ResourceUses } from './resource-use.ts'

/**
 * A resource is a document that clients register, replace and delete under an id: a data product, a data
 * contract, an asset, a team. All of them follow one protocol (`write-service.ts`): permissions, preconditions,
 * validation, plan, lost races. A `Resource` holds what is particular to a kind.
 */

/** The services of a change that takes its turn with others of the same document. */
export type SerialWork = Pick<Services, 'db' | 'serialize'>

/** The services that write documents. */
export type WriteServices = Pick<
  Services,
  'db' | 'clock' | 'serialize' | 'offload' | 'dpsUntil' | 'dcsUntil' | 'baseUrl' | 'settleReality'
>

/** The services of a change that contracts or assets depend on. */
export type RealityWork = Pick<Services, 'db' | 'clock' | 'settleReality'>

/** A PUT of a document. */
export interface DocumentPut {
  id: string
  body: Body
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  /** Rejects breaking changes, and contracts that their assets break; undefined accepts every change. */
  failOn?: readonly ('breaking' | 'drift')[] | undefined
  /** External id of the owner if the document names none. */
  owner?: string | undefined
  requestId: string
}

/** A request to delete a document. */
export interface DocumentRemoval {
  id: string
  conditions: Conditions
  requestId: string
}

/** The key of a document within its kind. */
export interface ResourceKey {
  organizationId: string
  id: string
}

/** The stored document that a change depends on. */
export interface ResourceState {
  /** Null if the document does not exist. */
  version: number | null
  /** The digest that clients see as the entity tag. */
  digest: string | null
  format: string | null
  /** External id of the owning team; null if the document has no owner. */
  owner: string | null
  /** Internal id of the owning team; null if it was not loaded. */
  ownerTeamId: string | null
  /** Whether the document counts as deleted. Absent = if it has no version. */
  isGone?: boolean
}

/** A document that was read and compared with the stored one. */
export interface ResourceDraft {
  format: string
  digest: string
  /** External id of the owning team; null if the document has no owner. */
  ownerId: string | null
  /** The path of the owner; undefined if the document itself does not name it. */
  ownerPath: Path | undefined
  /** It means the same as the stored document, and has the same owner. */
  isSame: boolean
  level: Level
  changes: ChangeList
  warnings: readonly Problem[]
  /** The tags that the organization must manage; none without a policy. */
  restrictedTags: readonly string[]
}

/** A draft, or all reasons why the document cannot be stored. */
export type ResourceReading<Accepted extends ResourceDraft> =
  | { ok: false; problems: readonly Problem[] }
  | ({ ok: true } & Accepted)

/** Changes by meaning, ready for an answer. */
interface ChangeList {
  /** A JSON array. As text, numbers keep their digits between threads. */
  json: string
  breakingCount: number
  /** The message of the first breaking change. */
  firstBreaking: string | undefined
}

/** The plan of a change. */
export interface DocumentPlan extends Omit<Plan, 'changes'> {
  /** A JSON array of changes; empty except for dry runs. */
  changesJson: string
}

/** The consequences of a change that its plan reports. */
export type Consequences = Pick<Plan, 'affected'> &
  Partial<Pick<Plan, 'contracts' | 'exports' | 'usedBy'>> & { warnings: readonly Problem[] }

/** The types of a kind of resource. */
export interface ResourceTypes {
  state: ResourceState
  draft: ResourceDraft
  put: DocumentPut
}

/** A PUT and the stored document that it would replace. */
export interface PutContext<T extends ResourceTypes> {
  work: WriteServices
  caller: Caller
  put: T['put']
  state: T['state']
}

/** The owner that a document would get. */
export interface NewOwner {
  /** External id; null without an owner, undefined if the document cannot be read. */
  id: string | null | undefined
  /** Internal id of the team; null if the team does not exist. */
  teamId: string | null
}

/** A change that was read. */
export interface ResourceChange<T extends ResourceTypes> extends PutContext<T> {
  draft: T['draft']
  /** Internal id of the new owner. */
  ownerTeamId: string | null
}

/** The permissions that changes need. Errors: permission_missing. */
export interface AccessRule<T extends ResourceTypes = ResourceTypes> {
  /** Rejects callers who cannot write anything, before a document is parsed. */
  requireWriter?(caller: Caller, state: T['state']): void
  /** Checks a PUT that changes nothing. */
  requireEdit(caller: Caller, id: string, state: T['state']): void
  requireChange(context: PutContext<T>, newOwner: NewOwner): void | Promise<void>
  requireDelete(caller: Caller, id: string, state: T['state']): void
}

/** The part of a PUT that decides whether it is allowed. */
interface WrittenChange {
  /** Undefined if the document is unreadable. */
  format: string | undefined
  /** Whether the document has the meaning of the stored one. */
  isSame: boolean
}

/**
 * A rule "this must not change while something uses it". A write with a guard locks the document, checks the guard in a
 * later statement, and writes, in one transaction. Every user of the document locks it too, and compares its
 * version. One statement cannot do both: after it has waited for a lock, it sees the new version of the locked row, but
 * the old state of all other tables. Errors: in_use.
 */
export type Guard = (db: Database) => Promise<void>

/** A kind of document that clients register, replace and delete. */
export interface Resource<T extends ResourceTypes> {
  kind: DocumentKind
  /** The maximum number of values in a document. */
  nodesMax: number
  access: AccessRule<T>
  /** Serializes all changes until the end of a transaction. Without it, the version decides races. */
  lock?(db: Database, organizationId: string): Promise<void>
  /** A condition that a stored row must satisfy to be replaced or deleted. */
  condition?: RawBuilder<unknown>
  /** Returns the state that a PUT, or without `put` a deletion, depends on. */
  load(work: WriteServices, key: ResourceKey, put?: T['put']): Promise<T['state']>
  /** Returns the stored document; undefined if it has changed since. */
  findStored(
    work: WriteServices,
    key: ResourceKey,
    state: T['state'],
  ): Promise<RegisteredDocument | undefined>
  /**
   * Returns whether the stored text was sent again, so that it need not be parsed. Most PUTs of a pipeline do.
   */
  isSameText?(state: T['state'], put: T['put']): boolean
  /** Rejects a PUT that the state or the format forbids. */
  assertWritable?(work: WriteServices, state: T['state'], change: WrittenChange): void
  /** Parses the document and compares it with the stored one. */
  read(context: PutContext<T>): Promise<ResourceReading<T['draft']>>
  /** Requires the permissions of what the document decides. Errors: permission_missing. */
  requireDecisions?(change: ResourceChange<T>): void
  /** Rejects references that do not hold. Errors: document_invalid. */
  checkReferences?(change: ResourceChange<T>): void | Promise<void>
  /** Returns the guard of a change. Undefined = the change takes nothing away that others use. */
  getGuard?(change: ResourceChange<T>): Guard | undefined
  /** Computes the consequences of a change, for dry runs. Absent = only the warnings of the draft. */
  getConsequences?(change: ResourceChange<T>): Promise<Consequences>
  /** Builds the row to write. */
  toRow(change: ResourceChange<T>): Promise<DocumentRow> | DocumentRow
  /** Returns a statement for what follows the document; it reads the result named `written`. */
  getFollowingWrite?(change: ResourceChange<T>): RawBuilder<unknown> | undefined
  /**
   * Returns what a change or deletion of a document touches of the promises of contracts and of the assets behind them.
   * Absent = nothing.
   */
  getRealitySubject?(
    work: WriteServices,
    key: ResourceKey,
    state: T['state'],
    draft?: T['draft'],
  ): RealitySubject | Promise<RealitySubject>
  /** Returns the events of a change. Absent = one, named after the kind. */
  getChangeEvents?(draft: T['draft']): NewEvents
  /** Lists the events of a deletion. Absent = one, named after the kind. */
  listDeletionEvents?(work: WriteServices, key: ResourceKey, state: T['state']): Promise<NewEvents>
  /** Finds the uses that prevent a deletion, as far as the caller may see them. Undefined = nothing does. */
  findUse?(work: WriteServices, caller: Caller, id: string): Promise<ResourceUses | undefined>
  /** Lists the data products that read the document, and their teams, for the plan of a deletion. */
  listReaders?(work: WriteServices, key: ResourceKey, state: T['state']): Promise<Affected[]>
  /** Lists the documents that use the document, for the plan of a deletion. Undefined = none can. */
  listUses?(work: WriteServices, key: ResourceKey): Promise<Plan['usedBy']>
  /** Checks a deletion of what does not exist. Absent = not_found. */
  acceptAbsence?(caller: Caller): void
  /**
   * Deletes a document that an integration maintains. Returns false if another writer was first, and undefined for
   * documents that are deleted like any other.
   */
  deleteOtherwise?(
    work: WriteServices,
    metadata: ChangeMetadata,
    state: T['state'],
  ): Promise<boolean | undefined>
  /** Deletes what ends with the document, in the same transaction. Needs a `lock`. */
  deleteDependents?(work: WriteServices, metadata: ChangeMetadata, state: T['state']): Promise<void>
}

const changeList = z.array(change)

/** Writes changes for an answer; without `isWanted`, only their level is used. */
export function toChangeList(changes: readonly Change[], isWanted = true): ChangeList {
  const breaking = changes.filter(({ level }) => level === 'breaking')
  return {
    json: isWanted ? JSON.stringify(changeList.parse(changes)) : '[]',
    breakingCount: breaking.length,
    firstBreaking: breaking[0]?.message,
  }
}
