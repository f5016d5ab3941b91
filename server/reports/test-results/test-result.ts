import { z } from '@hono/zod-openapi'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import { findChecks, readChecks, type ReportedCheck } from '../../../formats/reality/check-read.ts'
import { getWorstOutcome, readOutcome } from '../../../formats/reality/check-outcome.ts'
import { CHECKS_MAX } from '../../../formats/reality/checks.ts'
import { readFreshnessChecks } from './freshness-check.ts'
import type { FreshnessCheck } from '../../ledger/freshness/freshness-check.ts'
import { hasSamples } from '../../../formats/reality/samples.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import { asText, getField, type Value } from '../../../formats/text/value.ts'
import type { Violation } from '../../platform/errors.ts'
import { parseInstant, type Instant } from '../../platform/kit/clock.ts'

/**
 * A test result reports whether data keep a data contract: the checks that a program ran against one of the contract's
 * servers, and their outcome. Programs publish results in several forms, so the catalog stores each as it was sent and
 * reads the members that they have in common.
 */

/** The maximum length of a member that lists return: the name of a server, of a branch, of a version. */
const TEXT_CHARACTERS_MAX = 1024

/** The maximum size of the names of server, data product and output port together in bytes: longer ones fit into no index. */
const PLACE_BYTES_MAX = 900

/** The maximum size of a test result in bytes. Checks may contain samples, and logs may be long. */
export const RESULT_BYTES_MAX = 5 * 1024 * 1024

/** The maximum number of values in a test result: thousands of checks, each with about 20 members. */
export const RESULT_NODES_MAX = 500_000

/** The outcomes of a test. Clients accept no others, so every other outcome is reported as `unknown`. */
const OUTCOMES = ['passed', 'warning', 'failed', 'error', 'unknown'] as const

/** The outcome of a test. */
type TestOutcome = (typeof OUTCOMES)[number]

/** A test result without its checks and logs. */
export const testResultSummary = z
  .object({
    id: z.string(),
    dataContractId: z.string().openapi({ description: 'The data contract; it may not exist yet' }),
    dataContractVersion: z.string().openapi({ description: 'Empty if the result names none' }),
    dataProductId: z.string().optional(),
    outputPortId: z.string().optional(),
    server: z.string().openapi({
      description: 'The server of the contract; empty if the result names none',
    }),
    branch: z.string().optional().openapi({ description: 'The branch of the contract' }),
    result: z.enum(OUTCOMES),
    dryRun: z.boolean().openapi({ description: 'Whether the checks were only listed' }),
    timestampStart: z.string().openapi({
      format: 'date-time',
      description: '`testedAt` if the result has none',
    }),
    timestampEnd: z.string().openapi({
      format: 'date-time',
      description: '`testedAt` if the result has none',
    }),
    testedAt: z.string().openapi({
      format: 'date-time',
      description: 'The end of the test, or when the result was published; lists are sorted by it',
    }),
    checkCount: z.int().optional().openapi({ description: 'The number of checks, if known' }),
    passedCount: z.int().optional().openapi({ description: 'How many of them passed' }),
    publishedAt: z.string().openapi({ format: 'date-time' }),
    publishedBy: z.string().openapi({ description: '`api-key:<uuid>` or `user:<uuid>`' }),
  })
  .openapi('TestResultSummary')

/** A test result without its checks and logs, parsed. */
export type TestResultSummary = z.infer<typeof testResultSummary>

const check = z
  .looseObject({
    type: z.string().nullish(),
    name: z.string().nullish(),
    qualityReference: z.string().nullish(),
    qualityCategory: z.string().nullish(),
    dimension: z.string().nullish(),
    qualityCheckDefinition: z.string().nullish(),
    failedNumber: z.number().nullish(),
    totalNumber: z.number().nullish(),
    failedSamples: z.array(z.unknown()).nullish(),
    result: z.string().nullish(),
    engine: z.string().nullish(),
    model: z.string().nullish(),
    field: z.string().nullish(),
    reason: z.string().nullish(),
    details: z.string().nullish(),
  })
  .openapi('TestCheck')

const CONTENT = {
  checks: z
    .union([z.array(check), z.looseObject({})])
    .optional()
    .openapi({
      description: 'A list of checks; some programs send an object with counts',
    }),
  logs: z
    .array(
      z.looseObject({
        level: z.string().nullish(),
        message: z.string().nullish(),
        timestamp: z.string().nullish(),
      }),
    )
    .nullish(),
}

/** A test result as it was sent, with the members of the summary. */
export const testResult = testResultSummary
  .extend(CONTENT)
  .extend({
    hidden: z.array(z.string()).optional().openapi({
      description:
        'The columns of samples, and the texts that may contain data, that are null for the caller: editors of the contract and of its providers read all of them',
    }),
  })
  .openapi('TestResult')

/** A test result as clients send it, as the OpenAPI document describes it. */
export const testResultInput = z
  .looseObject({
    id: z.string().nullish().openapi({ description: 'Absent = `runId`, or the server makes one' }),
    runId: z.string().nullish(),
    dataContractId: z.string(),
    dataContractVersion: z.string().nullish(),
    dataProductId: z.string().nullish(),
    outputPortId: z.string().nullish(),
    server: z.string().nullish(),
    branch: z.string().nullish(),
    timestampStart: z.string().nullish(),
    timestampEnd: z.string().nullish(),
    result: z.string().nullish().openapi({
      description: 'passed, warning, failed or error; every other value is answered as unknown',
    }),
    dryRun: z.boolean().nullish(),
    ...CONTENT,
  })
  .openapi('TestResultInput')

/** The forms in which results are sent: that of the catalog's clients, and observability results of Bitol. */
export type ResultFormat = 'test-result' | 'oors'

/** The members of a result that was sent; null = it has no such member. */
export interface SentResult {
  /** Null = the server chooses an id. */
  id: string | null
  contractId: string
  contractVersion: string | null
  productId: string | null
  outputPort: string | null
  server: string | null
  branch: string | null
  result: TestOutcome
  dryRun: boolean
  checkCount: number | null
  passedCount: number | null
  startedAt: Instant | null
  endedAt: Instant | null
  /** The newest instants in the data of models. */
  freshness: readonly FreshnessCheck[]
  /** At most the checks that are followed over time. */
  checks: readonly ReportedCheck[]
  /** Whether its text may contain rows of the data. */
  hasSamples: boolean
}

/** The branch of a contract in the path of a request. */
export interface BranchPath {
  contractId: string
  branch: string
}

/** The members of a result that was sent, or all reasons why it cannot be stored. */
export type TestResultReading =
  | { ok: true; result: SentResult }
  | { ok: false; problems: readonly Violation[] }

/** Reads a result that was sent, for a branch if its path names one. */
export function readTestResult(
  source: SourceText,
  path: BranchPath | undefined,
): TestResultReading {
  const { value } = source
  const id = readId(source, 'id') ?? readId(source, 'runId')
  const contractId = readId(source, 'dataContractId') ?? path?.contractId
  const long = SUMMARY_TEXTS.map((name) => findLong(source, name))
  const problems = [id, contractId, ...long, findLongPlace(source)].filter(
    (one) => typeof one === 'object',
  )
  if (contractId === undefined) problems.push(toViolation(source, 'dataContractId', 'is missing'))
  if (path !== undefined && typeof contractId === 'string' && contractId !== path.contractId) {
    const message = 'differs from the data contract in the path; leave it out or make them equal'
    problems.push(toViolation(source, 'dataContractId', message))
  }
  if (problems.length > 0 || typeof contractId !== 'string') return { ok: false, problems }
  const textId = typeof id === 'string' ? id : null
  return { ok: true, result: toSentResult(value, textId, contractId, path?.branch) }
}

function toSentResult(
  value: Value,
  id: string | null,
  contractId: string,
  branch: string | undefined,
): SentResult {
  const sent = findChecks(value)
  const checks = sent && readChecks(sent)
  return {
    id,
    contractId,
    contractVersion: readText(value, 'dataContractVersion'),
    productId: readText(value, 'dataProductId'),
    outputPort: readText(value, 'outputPortId'),
    server: readText(value, 'server'),
    branch: branch ?? readText(value, 'branch'),
    result: readResultOutcome(value, checks ?? []),
    dryRun: getField(value, 'dryRun') === true,
    ...countChecks(getField(value, 'checks'), checks),
    startedAt: readInstant(value, 'timestampStart'),
    endedAt: readInstant(value, 'timestampEnd') ?? readInstant(value, 'timestamp'),
    checks: (checks ?? []).slice(0, CHECKS_MAX),
    freshness: readFreshnessChecks(sent ?? []),
    hasSamples: hasSamples(value),
  }
}

/** Returns an outcome that every client accepts. */
export function toOutcome(value: Value | undefined): TestOutcome {
  const outcome = readOutcome(value)
  return OUTCOMES.find((one) => one === outcome) ?? 'unknown'
}

// Soda and dbt report no outcome of the whole test, Great Expectations a flag.
function readResultOutcome(value: Value, checks: readonly ReportedCheck[]): TestOutcome {
  const sent = getField(value, 'result') ?? getField(value, 'success')
  const isAbsent = sent === undefined && getField(value, 'result') === undefined
  return isAbsent
    ? toOutcome(getWorstOutcome(checks.map(({ outcome }) => outcome)))
    : toOutcome(sent)
}

/** Counts checks: those of a list, or the sums that some programs send instead, `{passed, failed}`. */
function countChecks(
  counts: Value | undefined,
  checks: readonly ReportedCheck[] | undefined,
): Pick<SentResult, 'checkCount' | 'passedCount'> {
  const [passedCount, ...others] = OUTCOMES.map((outcome) => readCount(counts, outcome))
  if (passedCount !== undefined && passedCount !== null)
    return {
      checkCount: others.reduce<number>((sum, count) => sum + (count ?? 0), passedCount),
      passedCount,
    }
  if (checks === undefined) return { checkCount: null, passedCount: null }
  const passed = checks.filter(({ outcome }) => outcome === 'passed')
  return { checkCount: checks.length, passedCount: passed.length }
}

const COUNT_MAX = 1_000_000

function readCount(checks: Value | undefined, outcome: TestOutcome): number | null {
  const count = getField(checks, outcome)
  const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 0
  return isCount && count <= COUNT_MAX ? count : null
}

// Programs send null for a member that they do not know.
function readId(source: SourceText, name: string): string | Violation | undefined {
  const value = getField(source.value, name) ?? ''
  if (value === '') return undefined
  if (typeof value !== 'string') return toViolation(source, name, 'must be text')
  const problem = findIdProblem(value)
  return problem === undefined ? value : toViolation(source, name, problem)
}

const SUMMARY_TEXTS = [
  'dataContractVersion',
  'dataProductId',
  'outputPortId',
  'server',
  'branch',
] as const

// Lists return these for every result of a page.
function findLong(source: SourceText, name: string): Violation | undefined {
  return isLong(source, name)
    ? toViolation(source, name, `has more than ${TEXT_CHARACTERS_MAX} characters`)
    : undefined
}

function isLong({ value }: SourceText, name: string): boolean {
  return (readText(value, name)?.length ?? 0) > TEXT_CHARACTERS_MAX
}

// A name that is too long by itself is reported once.
function findLongPlace(source: SourceText): Violation | undefined {
  if (PLACE_TEXTS.some((name) => isLong(source, name))) return undefined
  const names = PLACE_TEXTS.map((name) => readText(source.value, name) ?? '')
  if (Buffer.byteLength(JSON.stringify(names)) <= PLACE_BYTES_MAX) return undefined
  const sizes = names.map((text) => Buffer.byteLength(text))
  const longest = PLACE_TEXTS[sizes.indexOf(Math.max(...sizes))] ?? 'server'
  const message = `is too long: ${PLACE_TEXTS.join(', ')} may have ${PLACE_BYTES_MAX} bytes together`
  return toViolation(source, longest, message)
}

const PLACE_TEXTS = ['server', 'dataProductId', 'outputPortId'] as const

function toViolation(source: SourceText, field: string, message: string): Violation {
  return { field, message, ...source.locate([field]) }
}

function readText(value: Value, name: string): string | null {
  return asText(getField(value, name)) || null
}

// Older programs send UTC without an offset.
function readInstant(value: Value, name: string): Instant | null {
  const text = readText(value, name) ?? ''
  return parseInstant(text) ?? parseInstant(`${text}Z`) ?? null
}
