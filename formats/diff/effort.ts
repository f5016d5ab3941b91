// How much work one comparison may put into proofs about schemas.

/** The steps that are left; proofs take them away. */
export interface Effort {
  stepsLeft: number
}

/** More than schemas that people write need, and well below a second. */
export const EFFORT_STEPS = 20_000
