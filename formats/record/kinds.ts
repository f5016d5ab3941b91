import { CERTIFICATION } from './kinds/certification.ts'
import { CLASSIFICATION_SCHEME } from './kinds/classification-scheme.ts'
import { DEFINITION } from './kinds/definition.ts'
import { POLICY } from './kinds/policy.ts'
import { SOURCE_SYSTEM } from './kinds/source-system.ts'
import { TAG } from './kinds/tag.ts'
import type { RecordKind } from './record-kind.ts'

/** **Every kind of record**, a line for each, by the kind as it is stored. */
export const RECORD_KINDS = {
  [SOURCE_SYSTEM.kind]: SOURCE_SYSTEM,
  [DEFINITION.kind]: DEFINITION,
  [POLICY.kind]: POLICY,
  [TAG.kind]: TAG,
  [CERTIFICATION.kind]: CERTIFICATION,
  [CLASSIFICATION_SCHEME.kind]: CLASSIFICATION_SCHEME,
} as const satisfies Readonly<Record<string, RecordKind>>

/** A kind of record, as it is stored. */
export type RecordName = keyof typeof RECORD_KINDS

/** A kind of record of the list. */
export type DeclaredKind = RecordKind & (typeof RECORD_KINDS)[RecordName]

/** The same kinds, in their order. */
export const RECORDS: readonly DeclaredKind[] = Object.values(RECORD_KINDS)
