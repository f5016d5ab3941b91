import { isOors, OORS_KIND, readOors } from '../../../formats/bitol/oors/read.ts'
import { writeOors, type ResultContext } from '../../../formats/bitol/oors/write.ts'
import { listCheckDetails, type CheckDetail } from '../../../formats/reality/check-detail.ts'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import {
  findVisibleData,
  hasSamples,
  hideData,
  NO_DATA,
  removeSamples,
  type VisibleData,
} from '../../../formats/reality/samples.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import { formatPath, getField, isObject, jsonText } from '../../../formats/text/value.ts'
import type { ObjectValue, Path, Value } from '../../../formats/text/value.ts'
import { yamlText } from '../../../formats/text/yaml-write.ts'
import type { Violation } from '../../platform/errors.ts'
import {
  invalidRequest,
  readDocument,
  readStored,
  unsupportedFormat,
} from '../../requests/http/document.ts'
import { withMembers } from '../../requests/http/json.ts'
import { lossHeaders } from '../../requests/http/losses.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'
import {
  RESULT_NODES_MAX,
  readTestResult,
  testResultSummary,
  type BranchPath,
  type ResultFormat,
  type SentResult,
  type TestResultSummary,
} from './test-result.ts'

/** The text of a result, and what the address of its request names. */
interface TestResultInput {
  text: string
  path: BranchPath | undefined
  /** The contract of observability results that name none. */
  contractId: string | undefined
}

/** The members of a result that was sent, and remarks about it. */
interface ReadResult {
  sent: SentResult
  format: ResultFormat
  warnings: string[]
}

/** Reads a result that was sent. Errors: validation_failed, format_unsupported, and those of `readDocument`. */
export const readResult: Task<TestResultInput, ReadResult> = {
  name: 'test-result/read',
  run({ text, path, contractId }) {
    const source = readDocument(
      { text, mediaType: 'application/json' },
      { nodesMax: RESULT_NODES_MAX },
    )
    const { value } = source
    const kind = getField(value, 'kind')
    if (kind !== undefined && kind !== null && !isOors(value)) {
      const message = `is ${jsonText(kind)}; a document with a kind must be "${OORS_KIND}"`
      throw invalidRequest([{ field: 'kind', message, ...source.locate(['kind']) }])
    }
    if (!isOors(value)) {
      return { sent: readSent(source, path), format: 'test-result', warnings: [] }
    }
    const { result, problems, warnings } = readOors(value, path?.contractId ?? contractId)
    if (problems.length > 0) {
      const violations = problems.map((problem) => toViolation(source, problem))
      const unsupported = violations.filter(({ field }) => field === 'apiVersion')
      throw unsupported.length > 0 ? unsupportedFormat(unsupported) : invalidRequest(violations)
    }
    const sent = readSent({ ...source, value: result, locate: locateIn(source) }, path)
    const remarks = warnings.map(({ path: at, message }) => `${formatPath(at)} ${message}.`)
    return { sent, format: 'oors', warnings: remarks }
  },
}

function readSent(source: SourceText, path: BranchPath | undefined): SentResult {
  const reading = readTestResult(source, path)
  if (!reading.ok) throw invalidRequest(reading.problems)
  return reading.result
}

function toViolation(
  source: SourceText,
  { path, message }: { path: Path; message: string },
): Violation {
  return { field: formatPath(path), message, ...source.locate(path) }
}

// The places of a client's members in observability results.
const PLACES: ReadonlyMap<string | number | undefined, Path> = new Map<string, Path>([
  ['dataContractId', ['contract', 'contractId']],
  ['dataContractVersion', ['contract', 'version']],
  ['server', ['contract', 'server']],
])

function locateIn(source: SourceText): SourceText['locate'] {
  return (path) => source.locate(PLACES.get(path[0]) ?? path)
}

/** The stored text of a result. */
interface StoredText {
  document: string
  format: ResultFormat
}

// A stored result as a client of the catalog sends it; every reader of results reads this.
function readValue({ document, format }: StoredText): Value {
  const value = readStored({ document, mediaType: 'application/json' }).spelled()
  return format === 'oors' && isObject(value) ? readOors(value, undefined).result : value
}

/** The stored text of a result, and the members that its answer has instead of those in the text. */
interface StoredTestResult extends StoredText {
  summary: TestResultSummary
  data: DataRule
}

/** The data in a result that a reader gets. */
export interface DataRule {
  /** Whether samples are left out. */
  isExpired: boolean
  /** The contract by which data are open to the reader; undefined = the reader gets everything. */
  open: OpenData | undefined
}

/** The contract of a result, by which data are open to every reader. */
interface OpenData {
  id: string
  /** As JSON; undefined = there is no contract, so nothing is open. */
  document: string | undefined
  /** The words of the lowest tiers of classification schemes, in lower case. */
  lowestTiers: readonly string[]
}

function toTexts(members: readonly [string, Value][]): Record<string, string> {
  return Object.fromEntries(members.map(([name, value]) => [name, jsonText(value)]))
}

const SUMMARY_NAMES = new Set(Object.keys(testResultSummary.shape))

/** Writes a stored result with the members that clients rely on. All others are as they were sent. */
export const presentResult: Task<StoredTestResult, TextOutput> = {
  name: 'test-result/present',
  run({ summary, data, ...stored }) {
    const { value, hidden } = applyDataRule(readValue(stored), data)
    const sent: ObjectValue = isObject(value) ? { ...value, ...(hidden && { hidden }) } : {}
    const others = Object.entries(sent).filter(([name]) => !SUMMARY_NAMES.has(name))
    const text = withMembers(JSON.stringify(summary), toTexts(others))
    return { text, mediaType: 'application/json', headers: {} }
  },
}

/** The checks of a stored result, and the page of them. */
interface DetailInput extends StoredText {
  data: DataRule
  page: number
  size: number
}

/** A page of the checks of a result. */
export interface DetailPage {
  checks: CheckDetail[]
  hasNext: boolean
}

/** Describes a page of the checks of a stored result. */
export const listDetails: Task<DetailInput, DetailPage> = {
  name: 'test-result/listDetails',
  run({ data, page, size, ...stored }) {
    const sent = readValue(stored)
    const checks = listCheckDetails(sent, applyDataRule(sent, data).value)
    const start = page * size
    return { checks: checks.slice(start, start + size), hasNext: checks.length > start + size }
  },
}

function applyDataRule(
  sent: Value,
  { isExpired, open }: DataRule,
): { value: Value; hidden?: string[] } {
  const value = isExpired ? removeSamples(sent) : sent
  if (open === undefined) return { value }
  const shown = hideData(value, readVisibleData(open))
  return shown.hidden.length === 0 ? { value: shown.value } : shown
}

function readVisibleData({ id, document, lowestTiers }: OpenData): VisibleData {
  if (document === undefined) return NO_DATA
  const source = readStored({ document, mediaType: 'application/json' })
  const reading = readDataContract(source, { id, strict: false, isAccepted: true })
  return reading.ok ? findVisibleData(reading.contract, new Set(lowestTiers)) : NO_DATA
}

/** Writes the text of a stored result without its samples. */
export const removeStoredSamples: Task<{ document: string; mediaType: string }, string> = {
  name: 'test-result/removeSamples',
  run({ document }) {
    const sent = readStored({ document, mediaType: 'application/json' }).spelled()
    return hasSamples(sent) ? jsonText(removeSamples(sent)) : document
  },
}

/** A stored result, and the form in which it is written. */
interface OorsInput extends StoredText {
  data: DataRule
  context: ResultContext
  syntax: 'json' | 'yaml'
}

/** Writes a stored result as observability results: as it was sent, if it was sent as such. */
export const writeObservability: Task<OorsInput, TextOutput> = {
  name: 'test-result/writeObservability',
  run({ context, syntax, data, ...stored }) {
    const mediaType = 'application/json'
    if (stored.format === 'oors') {
      const sent = readStored({ document: stored.document, mediaType }).spelled()
      // The form forbids samples.
      const { value, hidden } = applyDataRule(sent, { ...data, isExpired: true })
      const isWhole = hidden === undefined && !hasSamples(sent)
      if (isWhole && syntax === 'json') return { text: stored.document, mediaType, headers: {} }
      const text = syntax === 'yaml' ? yamlText(value) : jsonText(value)
      return { text, mediaType, headers: {} }
    }
    const { value } = applyDataRule(readValue(stored), data)
    const { document, losses } = writeOors(value, context)
    const text = syntax === 'yaml' ? yamlText(document) : jsonText(document)
    return { text, mediaType, headers: lossHeaders(losses) }
  },
}
