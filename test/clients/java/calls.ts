/** The calls of the public Java SDK, each with the status that it needs. */

import { ACCESS_CALLS } from './access.ts'
import { CATALOG_CALLS } from './catalog.ts'
import { DOCUMENT_CALLS } from './documents.ts'
import type { JavaCall } from './java-call.ts'
import { GIT_CALLS, OPERATION_CALLS } from './operations.ts'

/** All calls in an order in which each can succeed. */
export const JAVA_CALLS: readonly JavaCall[] = [
  ...CATALOG_CALLS,
  ...DOCUMENT_CALLS,
  ...OPERATION_CALLS,
  ...ACCESS_CALLS,
  ...GIT_CALLS,
]
