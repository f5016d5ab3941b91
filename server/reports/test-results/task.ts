import { isOors, OORS_KIND, readOors } from '../../../formats/bitol/oors/read.ts'
import { writeOors, type ResultContext } from '../../../formats/bitol/oors/write.ts'
import { readDataContract } from '../../../formats/data-contract/read.ts'
import {
  hasSamples,
  hideSamples,
  listVisibleColumns,
  removeSamples,
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
  samples: SampleRule
}

/** The samples that the reader of a result gets: all, none, or the columns of a contract that everyone may read. */
export type SampleRule = 'whole' | 'none' | { id: string; document: string }

function toTexts(members: readonly [string, Value][]): Record<string, string> {
  return Object.fromEntries(members.map(([name, value]) => [name, jsonText(value)]))
}

const SUMMARY_NAMES = new Set(Object.keys(testResultSummary.shape))

/** Writes a stored result with the members that clients rely on. All others are as they were sent. */
export const presentResult: Task<StoredTestResult, TextOutput> = {
  name: 'test-result/present',
  run({ summary, samples, ...stored }) {
    const { value, hidden } = applySampleRule(readValue(stored), samples)
    const sent: ObjectValue = isObject(value) ? { ...value, ...(hidden && { hidden }) } : {}
    const others = Object.entries(sent).filter(([name]) => !SUMMARY_NAMES.has(name))
    const text = withMembers(JSON.stringify(summary), toTexts(others))
    return { text, mediaType: 'application/json', headers: {} }
  },
}

function applySampleRule(value: Value, rule: SampleRule): { value: Value; hidden?: string[] } {
  if (rule === 'whole' || !hasSamples(value)) return { value }
  if (rule === 'none') return { value: removeSamples(value) }
  const source = readStored({ document: rule.document, mediaType: 'application/json' })
  const reading = readDataContract(source, { id: rule.id, strict: false, isAccepted: true })
  if (!reading.ok) return { value: removeSamples(value) }
  return hideSamples(value, listVisibleColumns(reading.contract, new Set()))
}

/** A stored result, and the form in which it is written. */
interface OorsInput extends StoredText {
  samples: SampleRule
  context: ResultContext
  syntax: 'json' | 'yaml'
}

/** Writes a stored result as observability results: as it was sent, if it was sent as such. */
export const writeObservability: Task<OorsInput, TextOutput> = {
  name: 'test-result/writeObservability',
  run({ context, syntax, samples, ...stored }) {
    const mediaType = 'application/json'
    if (stored.format === 'oors') {
      const sent = readStored({ document: stored.document, mediaType }).spelled()
      if (samples !== 'whole' && hasSamples(sent)) {
        const rest = removeSamples(sent)
        const text = syntax === 'yaml' ? yamlText(rest) : jsonText(rest)
        return { text, mediaType, headers: {} }
      }
      if (syntax === 'json') return { text: stored.document, mediaType, headers: {} }
      const value = readStored({ document: stored.document, mediaType }).spelled()
      return { text: yamlText(value), mediaType, headers: {} }
    }
    const { document, losses } = writeOors(readValue(stored), context)
    const text = syntax === 'yaml' ? yamlText(document) : jsonText(document)
    return { text, mediaType, headers: lossHeaders(losses) }
  },
}
