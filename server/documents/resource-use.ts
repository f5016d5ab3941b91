import { clip } from '../../formats/text/value.ts'
import type { ErrorCode } from '../platform/error-codes.ts'
import { ApiError, type NamedUse } from '../platform/errors.ts'
import type { Affected } from '../ledger/ports/port.ts'
import { KINDS, type DocumentKind } from '../platform/kinds.ts'

/**
 * The things that use another one and so prevent its deletion: output ports under a contract, access on a port, what a
 * team owns. Every refusal for this reason is made here, so that programs and pages read all of them in the same way.
 */

/** A use, with the word for its kind before its name; absent = its relation describes it. */
export interface ResourceUse extends NamedUse {
  called?: string
}

/** The uses of a resource. */
export interface ResourceUses {
  /** The first ones that the caller may see. */
  uses: readonly ResourceUse[]
  /** The number of all uses. */
  useCount: number
  /** The number of those that the caller may not see. */
  hiddenUseCount: number
  /** The next step, as a sentence: `Remove it there first.` */
  advice: string
}

/** The maximum number of uses in an answer. */
export const USES_MAX = 50
const NAMED_MAX = 5

/** Counts the uses of a list that is complete and visible to the caller. */
export function countUses(uses: readonly ResourceUse[], advice: string): ResourceUses | undefined {
  if (uses.length === 0) return undefined
  return { uses: uses.slice(0, USES_MAX), useCount: uses.length, hiddenUseCount: 0, advice }
}

/**
 * Creates the error for a change that uses prevent. `refused` is the beginning of the message:
 * `The data contract cannot be deleted`. `readers` are those who read the resource without preventing the change.
 */
export function createUseError(
  code: Extract<ErrorCode, 'in_use' | 'role_in_use'>,
  refused: string,
  { uses, useCount, hiddenUseCount, advice }: ResourceUses,
  more: { field?: string; readers?: readonly NamedUse[] } = {},
): ApiError {
  const { field, readers = [] } = more
  const named = uses.slice(0, NAMED_MAX).map(describeUse)
  const clauses = [
    ...named,
    ...describeRest(useCount - hiddenUseCount - named.length, hiddenUseCount),
  ]
  const detail = `${refused} while ${joinClauses(clauses)}. ${advice}`
  const violations = field === undefined ? [] : [{ field, message: 'is in use' }]
  const listed = uses.slice(0, USES_MAX).map(toNamed)
  return new ApiError(code, detail, {
    violations,
    extensions: {
      uses: listed,
      useCount,
      hiddenUseCount,
      advice,
      ...(readers.length === 0 ? {} : { readers: readers.slice(0, USES_MAX).map(toNamed) }),
    },
  })
}

/** Creates the error for the deletion of a document that is in use. */
export function createDeletionError(
  kind: DocumentKind,
  uses: ResourceUses,
  readers: readonly NamedUse[] = [],
): ApiError {
  return createUseError('in_use', `The ${KINDS[kind].called} cannot be deleted`, uses, { readers })
}

const READER_KINDS = {
  DATA_PRODUCT: 'data-product',
  TEAM: 'team',
  USER: 'user',
} as const

/** Lists the data products that read a document, and the teams and people with access to it. */
export function listReaderUses(affected: readonly Affected[]): NamedUse[] {
  return affected.flatMap(({ resourceType, id, name, ports = [], access = [] }) => {
    if (access.length === 0 && resourceType !== 'DATA_PRODUCT') return []
    const through = ports.slice(0, NAMED_MAX).map((port) => clip(port.name))
    const relation =
      through.length === 0 ? 'has access to it' : `reads it through ${through.join(', ')}`
    return [{ kind: READER_KINDS[resourceType], id, name, relation }]
  })
}

// The names and ids of an answer are shortened like all texts from documents in messages.
function toNamed({ kind, id, name, port, relation }: NamedUse): NamedUse {
  return { kind, id, name: clip(name), ...(port === undefined ? {} : { port }), relation }
}

function describeUse({ kind, called, id, name, relation }: ResourceUse): string {
  const start = called === undefined ? '' : `${called} `
  const end = kind === 'access' ? `access agreement ${clip(id)}` : clip(id)
  return `${start}${clip(name)} ${relation} (${end})`
}

function describeRest(more: number, hidden: number): string[] {
  const listed = more > 0 ? [more === 1 ? '1 other uses it' : `${more} others use it`] : []
  if (hidden === 0) return listed
  const one = 'use is not visible to this caller'
  return [...listed, hidden === 1 ? `1 ${one}` : `${hidden} uses are not visible to this caller`]
}

function joinClauses(clauses: readonly string[]): string {
  const [last = '', ...others] = clauses.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
}
