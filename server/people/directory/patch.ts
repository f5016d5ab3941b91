import { clip } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import { readAttributes, toAttributeName } from './attribute.ts'
import { parseFilter, type Comparison } from './filter.ts'
import { invalidSyntax, invalidValue, OPERATIONS_MAX } from './scim.ts'

/**
 * A step of a PATCH on one attribute. Directories write operations in different forms; all of them become the same steps.
 */
export interface PatchStep {
  op: 'add' | 'replace' | 'remove'
  /** In lower case, without its schema: `members`. */
  attribute: string
  /** The part of the attribute, in lower case: `familyname`; undefined = the whole attribute. */
  part: string | undefined
  /** The comparisons in brackets that select values of the attribute; undefined = all values. */
  selected: readonly Comparison[] | undefined
  value: unknown
}

const PATH = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/s
const PATH_CHARACTERS_MAX = 2000
const SELECTORS = ['value', 'type', 'primary', 'display']

/** Parses the message PatchOp (RFC 7644, section 3.5.2). Errors: scim_syntax_invalid, scim_path_invalid, body_too_large. */
export function parsePatch(body: unknown): PatchStep[] {
  // One client writes `operations`, and directories `Operations`.
  const operations = readAttributes(body)?.operations
  if (!Array.isArray(operations)) {
    throw invalidSyntax('A PATCH needs a list of operations, in the member "Operations".')
  }
  if (operations.length > OPERATIONS_MAX) {
    throw new ApiError('body_too_large', `A PATCH may have ${OPERATIONS_MAX} operations at most.`)
  }
  return operations.flatMap((operation) => parseOperation(operation))
}

function parseOperation(operation: unknown): PatchStep[] {
  const { op, path, value } = readAttributes(operation) ?? {}
  const verb = typeof op === 'string' ? op.toLowerCase() : undefined
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
    throw invalidSyntax('The "op" of an operation must be add, replace or remove.')
  }
  if (path !== undefined && path !== null && path !== '') {
    if (typeof path !== 'string') throw invalidPath('The "path" of an operation must be a text.')
    return toSteps(verb, path, value)
  }
  if (verb === 'remove') throw invalidPath('An operation that removes needs a "path".')
  return listMemberSteps(verb, value)
}

// Without a path, the names in the value are paths: `{"name.familyName": "Byron", "active": false}`.
function listMemberSteps(op: PatchStep['op'], value: unknown): PatchStep[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidValue('The "value" of an operation without a "path" must be an object.')
  }
  return Object.entries(value).flatMap(([path, member]) => toSteps(op, path, member))
}

function toSteps(op: PatchStep['op'], path: string, value: unknown): PatchStep[] {
  if (path.length > PATH_CHARACTERS_MAX)
    throw invalidPath('The "path" of an operation is too long.')
  const name = toAttributeName(path)
  // The whole schema as one object.
  if (name === '') return op === 'remove' ? [] : listMemberSteps(op, value)
  // Attributes of another schema are unknown ones, which are ignored.
  if (name.startsWith('urn:')) return []
  const [, attribute, selector, part] = PATH.exec(name) ?? []
  if (attribute === undefined) {
    throw invalidPath(
      `The path "${clip(path)}" cannot be read. Write it as members[value eq "id"].`,
    )
  }
  const selected = selector === undefined ? undefined : parseSelector(path)
  return [{ op, attribute, part, selected, value }]
}

// The letter case of values counts, so that they are read from the path as it was sent.
function parseSelector(path: string): Comparison[] {
  const text = path.slice(path.indexOf('[') + 1, path.lastIndexOf(']'))
  try {
    return parseFilter(text, SELECTORS)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw invalidPath(`The path "${clip(path)}" cannot be read: ${error.message}`)
  }
}

function invalidPath(message: string): ApiError {
  return new ApiError('scim_path_invalid', message)
}
