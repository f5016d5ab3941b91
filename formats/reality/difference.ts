// A difference between what a contract promises and what exists.

/** The aspects of a promise. A field has at most one difference of each. */
export const DRIFT_ASPECTS = [
  'object',
  'kind',
  'column.missing',
  'column.extra',
  'type',
  'nullable',
  'key',
  'unique',
  'constraints',
  'classification',
] as const

type DriftAspect = (typeof DRIFT_ASPECTS)[number]

/** The levels of a difference. `additive` keeps the promise: the table only has more, or is stricter. */
export const DRIFT_LEVELS = ['breaking', 'additive'] as const

type DriftLevel = (typeof DRIFT_LEVELS)[number]

/** The maximum number of characters of each side of a difference. */
export const SIDE_CHARACTERS_MAX = 500

/** A difference between a promise and a table. */
export interface DriftDifference {
  /** The path of the field in the contract or of an additional column, `address.city`, `tags[]`; empty = the model. */
  field: string
  aspect: DriftAspect
  level: DriftLevel
  /** Both sides as texts; null = the side has nothing. */
  promised: string | null
  actual: string | null
}

/** A part of a promise that the platform does not report. */
export interface Unverifiable {
  /** The path of the field; empty = the model. */
  field: string
  /** A sentence. */
  reason: string
}
