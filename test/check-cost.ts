/** The cost of a check of `verify`, in numbers that do not depend on the load of the machine. */

import { existsSync, readFileSync } from 'node:fs'
import type { RunQuery } from '../server/transfer/cursor.ts'
import type { Database } from '../server/platform/tables.ts'
import type { Check } from '../server/transfer/verify/check.ts'

/** The cost of a check. */
export interface CheckCost {
  /** The rows that all steps of its plans read, also those that they discarded. */
  rows: number
  /** The pages of 8 KiB that it read, each time. */
  pages: number
  /** The processor time of the database and of this process, in milliseconds. */
  processorMs: number
}

/** A step of a plan, as `explain (analyze, buffers, format json)` describes it. */
interface PlanStep {
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanStep[]
}

// Cursors have plans of their own: they may prefer the first rows to all rows.
const CURSOR = /^\s*declare \w+ no scroll cursor for/

/** Runs a check in a snapshot and measures it. The database must run on this machine. */
export async function measureCheck(run: RunQuery, db: Database, check: Check): Promise<CheckCost> {
  const statements: { statement: string; parameters: readonly unknown[] }[] = []
  const recording: RunQuery = async (statement, parameters = []) => {
    if (CURSOR.test(statement) || parameters.length > 0) statements.push({ statement, parameters })
    return await run(statement, parameters)
  }
  const [backend] = await run<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = backend?.pid ?? 0
  const databaseMs = readProcessorMs(pid)
  const own = process.cpuUsage()
  for await (const _ of check.findings(recording, db));
  const { user, system } = process.cpuUsage(own)
  const processorMs = readProcessorMs(pid) - databaseMs + (user + system) / 1000
  let [rows, pages] = [0, 0]
  for (const { statement, parameters } of statements) {
    const explained = await run<{ 'QUERY PLAN': { Plan: PlanStep }[] }>(
      `explain (analyze, buffers, timing off, format json) ${statement}`,
      parameters,
    )
    const plan = explained[0]?.['QUERY PLAN'][0]?.Plan ?? {}
    rows += countRows(plan)
    pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  }
  return { rows, pages, processorMs }
}

function countRows(step: PlanStep): number {
  const loops = step['Actual Loops'] ?? 0
  const removed =
    (step['Rows Removed by Filter'] ?? 0) +
    (step['Rows Removed by Join Filter'] ?? 0) +
    (step['Rows Removed by Index Recheck'] ?? 0)
  const own = ((step['Actual Rows'] ?? 0) + removed) * loops
  return (step.Plans ?? []).reduce((sum, one) => sum + countRows(one), own)
}

/** Returns the processor time of a process of this machine in milliseconds; 0 where the system does not report it, or it has ended. */
export function readProcessorMs(pid: number): number {
  if (!existsSync(`/proc/${pid}/schedstat`)) return 0
  const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}
