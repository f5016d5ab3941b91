import { omitEmpty } from './asset-parts.ts'
import { isPartialFailure, SourceFailure, type SourceSession } from './connector.ts'
import type { Grantee, GrantBatch, GrantOutcome, SourceGrant, SourceMember } from './grant.ts'

/** Parts that the readers of grants of all platforms share. */

const ROWS_MAX = 1000

/** Everyone who can log in. */
export const PUBLIC: Grantee = { kind: 'public', name: '' }

/** Yields grants in batches of at most 1,000. */
export function* toGrantBatches(grants: readonly SourceGrant[]): Generator<GrantBatch> {
  for (let at = 0; at < grants.length; at += ROWS_MAX) {
    yield { grants: grants.slice(at, at + ROWS_MAX) }
  }
}

/** Yields memberships in batches of at most 1,000. */
export function* toMemberBatches(members: readonly SourceMember[]): Generator<GrantBatch> {
  for (let at = 0; at < members.length; at += ROWS_MAX) {
    yield { members: members.slice(at, at + ROWS_MAX) }
  }
}

/** Yields administrators in batches of at most 1,000. */
export function* toAdministratorBatches(administrators: readonly Grantee[]): Generator<GrantBatch> {
  for (let at = 0; at < administrators.length; at += ROWS_MAX) {
    yield { administrators: administrators.slice(at, at + ROWS_MAX) }
  }
}

/** Yields the outcomes of objects in batches of at most 1,000. */
export function* toOutcomeBatches(outcomes: readonly GrantOutcome[]): Generator<GrantBatch> {
  for (let at = 0; at < outcomes.length; at += ROWS_MAX) {
    yield { outcomes: outcomes.slice(at, at + ROWS_MAX) }
  }
}

/**
 * Returns the outcome of an object whose recorded grants were all read; `message` is the reason why others may
 * nevertheless have access.
 */
export function toWholeOutcome(path: readonly string[], message?: string): GrantOutcome {
  return { path, isWhole: true, ...omitEmpty({ message }) }
}

/** Returns the outcome of an object whose last reading stays. */
export function toUnreadOutcome(path: readonly string[], { message }: SourceFailure): GrantOutcome {
  return { path, isWhole: false, message }
}

/** Reads a part of a source; returns a failure that leaves the other parts readable. Errors: all others. */
export async function attemptReading<T>(read: () => Promise<T>): Promise<T | SourceFailure> {
  try {
    return await read()
  } catch (error) {
    if (isPartialFailure(error)) return error
    throw error
  }
}

/**
 * Yields the grants on some objects; a failure that leaves the other parts of a source readable becomes their outcome. Errors:
 * all others.
 */
export async function* guardReading(
  paths: readonly (readonly string[])[],
  batches: AsyncIterable<GrantBatch>,
): AsyncGenerator<GrantBatch> {
  try {
    yield* batches
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    yield* toOutcomeBatches(paths.map((path) => toUnreadOutcome(path, error)))
  }
}

/** Returns the reader of grants of a session. Errors: SourceFailure if the product behind the connection has none. */
export function requireGrants(session: SourceSession): NonNullable<SourceSession['grants']> {
  if (session.grants === undefined) {
    throw new SourceFailure('protocol', 'This product does not show its grants.')
  }
  return session.grants.bind(session)
}
