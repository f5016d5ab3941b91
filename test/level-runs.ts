// The number and the seed of generated pairs of versions, whose levels are compared with the verdicts of other programs.

import { randomInt } from 'node:crypto'

const SEED_MAX = 2 ** 31 - 1

/**
 * Returns the runs of a generated test for fast-check: a new seed, which is printed, and `numRuns` times the number in
 * the variable `LEVEL_RUNS`. The variable `LEVEL_SEED` repeats a run.
 */
export function createLevelRuns(name: string, numRuns: number): { seed: number; numRuns: number } {
  const { LEVEL_RUNS: factor = '1', LEVEL_SEED: given } = process.env
  const seed = given === undefined ? randomInt(SEED_MAX) : Number(given)
  const runs = { seed, numRuns: Math.round(numRuns * Number(factor)) }
  console.log(`${name}: ${runs.numRuns} pairs, LEVEL_SEED=${seed}`)
  return runs
}
