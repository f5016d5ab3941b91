// Limits the work that one comparison may spend on proofs about schemas.

/** The remaining steps, which proofs consume. */
export interface Effort {
  stepsLeft: number
}

/** More steps than real schemas need; they take well below a second. */
export const EFFORT_STEPS = 20_000
