import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { ReadingEnd } from './grants.ts'
import { lockState } from './reading-store.ts'
import * as store from './staging-store.ts'
import type { GrantClaim } from './staging-store.ts'

/** A user, role or group of the platform, or everyone. */
interface StagedGrantee {
  kind: string
  name: string
}

/** A part of what a run reads of grants. */
interface GrantPart {
  grants?: readonly {
    path: readonly string[]
    grantee: StagedGrantee
    privilege: string
    effect: string
    columns?: readonly string[]
    withGrant: boolean
    inheritedFrom?: string
  }[]
  members?: readonly {
    role: StagedGrantee
    member: StagedGrantee
    isInherited: boolean
    isSettable: boolean
  }[]
  administrators?: readonly StagedGrantee[]
  outcomes?: readonly { path: readonly string[]; isWhole: boolean; message?: string }[]
}

/** Stages a part of what a run has read. No transaction is open. */
export async function stageGrants(db: Database, claim: GrantClaim, part: GrantPart): Promise<void> {
  const { grants = [], members = [], administrators = [], outcomes = [] } = part
  await stage(db, claim, 'grant', grants, ({ path, grantee, ...grant }) => ({
    ...grant,
    ...grantee,
    path: toText(path),
  }))
  await stage(db, claim, 'member', members, ({ role, member, ...edge }) => ({
    ...edge,
    roleKind: role.kind,
    role: role.name,
    memberKind: member.kind,
    member: member.name,
  }))
  await stage(db, claim, 'administrator', administrators, (one) => one)
  await stage(db, claim, 'scope', outcomes, ({ path, ...outcome }) => ({
    ...outcome,
    path: toText(path),
  }))
}

async function stage<Item>(
  db: Database,
  claim: GrantClaim,
  kind: store.StagedKind,
  items: readonly Item[],
  toContent: (item: Item) => object,
): Promise<void> {
  if (items.length === 0) return
  const contents = items.map((item) => JSON.stringify(toContent(item), toStorable))
  await store.insertStaged(db, claim, kind, contents)
}

// The store has neither NUL nor half of a surrogate pair.
function toStorable(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value.toWellFormed().replaceAll('\0', '\uFFFD')
}

function toText(path: readonly string[]): string {
  return JSON.stringify(path)
}

/**
 * Publishes what a run has staged, in the transaction of its publication. If grants were switched off in the meantime, nothing
 * of it is kept.
 */
export async function publishGrants(
  db: Database,
  clock: Clock,
  claim: GrantClaim,
  end: ReadingEnd,
): Promise<void> {
  const state = await lockState(db, claim)
  if (state?.enabled !== true) return
  // Why others may be members nevertheless does not concern those that the platform records.
  const isWhole = end.membersBecause !== undefined
  await store.publishGrants(db, claim)
  // A privilege that a name lost may be held by a membership that was not read.
  if (isWhole) await store.deleteUnseenGrants(db, claim)
  await store.publishMembers(db, claim, { isWhole })
  await store.publishAdministrators(db, claim, { isWhole })
  await store.recordReading(db, clock, claim, end)
}

/** Deletes what a run has staged up to this attempt. */
export async function deleteStagedGrants(db: Database, claim: GrantClaim): Promise<void> {
  await store.deleteStaged(db, claim)
}

/** Deletes what runs have staged whose workers died. */
export async function deleteAbandonedGrants(db: Database): Promise<void> {
  await store.deleteAbandoned(db)
}
