// Reports changes of types: why a change has its level, and contents of a type that one version does not describe.

import type { Field } from '../schema/model.ts'
import { clip } from '../text/value.ts'
import { type FieldTypeChange, type Platforms, typeText } from './field-type.ts'
import { isFieldUnread } from './field-values.ts'
import { KnownTypes } from './known-types.ts'
import { type ModelChanges, toLevel, type Verdict } from './model-changes.ts'
import { changeSentence } from './sentence.ts'

const TYPE_REASONS: { readonly [verdict in Verdict]: string } = {
  same: 'both are the same type',
  narrower: 'every value of the new type is one of the old type',
  wider: 'the new type allows values that the old one did not',
  different: 'values of the new type violate the old promise',
}

/** Returns the reason for the level of a changed type. */
export function getTypeReason({ verdict, unread }: FieldTypeChange): string {
  if (unread === undefined) return TYPE_REASONS[verdict]
  return `"${clip(unread)}" is not a known type of the platform, so the change cannot be analyzed`
}

const PART_REASONS = {
  narrower: 'it describes its contents more precisely',
  wider: 'it may hold anything now',
  different: 'it is not a known type of the platform, so the change cannot be analyzed',
} as const

/** Reports the contents of a type that only one version describes. */
export function reportPart(
  changes: ModelChanges,
  { label, origin, platforms }: { label: string; origin: string; platforms: Platforms },
  before: Field | undefined,
  after: Field | undefined,
): void {
  const isFirst = before === undefined
  const types = platforms.known ?? new KnownTypes()
  const isUnread = after !== undefined && isFieldUnread(after, platforms.after, types)
  const verdict = isFirst ? (isUnread ? 'different' : 'narrower') : 'wider'
  const [one, other] = [before && typeText(before), after && typeText(after)]
  const reason = PART_REASONS[verdict]
  changes.report(origin, 'nested', {
    level: toLevel(verdict),
    before: one,
    after: other,
    message: changeSentence(`Field ${label}: type`, one, other, reason),
  })
}
