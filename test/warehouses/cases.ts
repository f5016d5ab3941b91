/** The cases that every platform must pass. */

import type { WarehouseCase } from './case-source.ts'
import { CONTENT_CASES } from './content-cases.ts'
import { FAULT_CASES } from './fault-cases.ts'
import { REQUEST_CASES } from './request-cases.ts'

/** All cases by their names. */
export const CASES: Readonly<Record<string, WarehouseCase>> = {
  ...CONTENT_CASES,
  ...REQUEST_CASES,
  ...FAULT_CASES,
}
