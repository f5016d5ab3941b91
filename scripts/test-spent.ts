/** The processor time of the processes of a test run, on Linux. */

import { readFileSync } from 'node:fs'

/** The processor seconds of a test process, and those that passed while each of its files ran. */
export type Spent = {
  readonly seconds: number
  readonly secondsByFile: Readonly<Record<string, number>>
}

/**
 * Returns the processor seconds that a process and all of its ended children have used; undefined = the system does
 * not count them. A browser does not count the processes of its pages.
 */
export function readProcessorSeconds(pid: number | 'self'): number | undefined {
  try {
    // Numbers 14 to 17 of proc_pid_stat(5), in hundredths of a second. The name may contain spaces.
    const numbers = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    return (numbers?.slice(11, 15) ?? []).reduce((sum, number) => sum + Number(number) / 100, 0)
  } catch {
    return undefined
  }
}

/** Adds up processor seconds; undefined = one of them is not counted. */
export function addSeconds(all: readonly (number | undefined)[]): number | undefined {
  return all.reduce(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  )
}
