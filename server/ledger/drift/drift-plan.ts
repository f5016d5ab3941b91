import { z } from '@hono/zod-openapi'
import { DRIFT_ASPECTS, DRIFT_LEVELS } from '../../../formats/reality/difference.ts'

/** The states of a contract. */
export const DRIFT_STATES = ['none', 'drift', 'accepted', 'unknown'] as const

/** A state of a contract. */
export type DriftState = (typeof DRIFT_STATES)[number]

/** The facts from which the state of a contract, or of some of its promises, follows. */
export interface DriftCounts {
  /** Breaking findings that count. */
  breaking: number
  /** Breaking findings that are accepted. */
  acceptedBreaking: number
  /** The promises that can be compared with an asset. */
  promised: number
  /** Those of them whose comparison with their asset is current. */
  compared: number
}

/** Judges promises together: the worst one decides, and what is not compared is never kept. */
export function judgeDriftState({
  breaking,
  acceptedBreaking,
  promised,
  compared,
}: DriftCounts): DriftState {
  if (breaking > 0) return 'drift'
  if (acceptedBreaking > 0) return 'accepted'
  return promised === 0 || compared < promised ? 'unknown' : 'none'
}

// The worst first. Of several contracts, the one without a linked asset shows that something is missing.
const WORST_FIRST: readonly DriftState[] = ['drift', 'accepted', 'unknown', 'none']

/** Returns the worst of some states; undefined of none. */
export function findWorstState(states: readonly DriftState[]): DriftState | undefined {
  return WORST_FIRST.find((state) => states.includes(state))
}

/** The maximum number of differences of each list of a plan. */
export const PLANNED_FINDINGS_MAX = 100

const plannedFinding = z
  .object({
    dataContractId: z.string(),
    server: z.string(),
    isProduction: z.boolean(),
    model: z.string(),
    field: z.string().nullable(),
    aspect: z.enum(DRIFT_ASPECTS),
    level: z.enum(DRIFT_LEVELS),
    promised: z.string().nullable(),
    actual: z.string().nullable(),
  })
  .openapi('PlannedDriftFinding')

/** A difference of a plan. */
export type PlannedFinding = z.infer<typeof plannedFinding>

/** The differences between contracts and assets that a change opens and resolves. */
export const driftPlan = z
  .object({
    state: z.enum(DRIFT_STATES).openapi({
      description:
        'Of the worst contract that the change concerns, after it; unknown = none is linked',
    }),
    opened: z.array(plannedFinding).openapi({ description: `The first ${PLANNED_FINDINGS_MAX}` }),
    resolved: z.array(plannedFinding).openapi({ description: `The first ${PLANNED_FINDINGS_MAX}` }),
    open: z.int().openapi({
      description: 'The number of breaking ones without an acceptance, after the change',
    }),
  })
  .openapi('DriftPlan')

/** The differences that a change opens and resolves. */
export type DriftPlan = z.infer<typeof driftPlan>

/** The plan of a change that concerns no contract with a linked asset. */
export const NO_DRIFT: DriftPlan = { state: 'unknown', opened: [], resolved: [], open: 0 }
