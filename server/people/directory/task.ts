import { ApiError } from '../../platform/errors.ts'
import { readDocument } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import { readGroup, readGroupPatch, type GroupChange } from './group-change.ts'
import { invalidSyntax } from './scim.ts'
import { readUser, readUserPatch, type UserChange } from './user-change.ts'

// A body of the maximum size with only members of groups has fewer values.
const NODES_MAX = 500_000

// Reading the bodies of directories, which may have thousands of members, so that it runs in a thread.

/** Reads a user. Errors: those of `readDocument` and `readUser`. */
export const readUserBody: Task<string, UserChange & { userName: string }> = {
  name: 'scim/readUser',
  run: (text) => readUser(parse(text)),
}

/** Reads a PATCH of a user. Errors: those of `readDocument` and `readUserPatch`. */
export const readUserPatchBody: Task<string, UserChange> = {
  name: 'scim/readUserPatch',
  run: (text) => readUserPatch(parse(text)),
}

/** Reads a group. Errors: those of `readDocument` and `readGroup`. */
export const readGroupBody: Task<string, GroupChange & { displayName: string }> = {
  name: 'scim/readGroup',
  run: (text) => readGroup(parse(text)),
}

/** Reads a PATCH of a group. Errors: those of `readDocument` and `readGroupPatch`. */
export const readGroupPatchBody: Task<string, GroupChange> = {
  name: 'scim/readGroupPatch',
  run: (text) => readGroupPatch(parse(text)),
}

function parse(text: string): unknown {
  try {
    return readDocument({ text, mediaType: 'application/json' }, { nodesMax: NODES_MAX }).value
  } catch (error) {
    // SCIM has no status 422.
    if (error instanceof ApiError && error.code === 'body_unacceptable')
      throw invalidSyntax(error.message)
    throw error
  }
}
