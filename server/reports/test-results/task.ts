import { isObject, jsonText, type ObjectValue, type Value } from '../../../formats/text/value.ts'
import { invalidRequest, readDocument, readStored } from '../../requests/http/document.ts'
import { withMembers } from '../../requests/http/json.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'
import {
  RESULT_NODES_MAX,
  readTestResult,
  testResultSummary,
  type BranchPath,
  type SentResult,
  type TestResultSummary,
} from './test-result.ts'

/** The text of a result, and the branch in the path of its request. */
interface TestResultInput {
  text: string
  path: BranchPath | undefined
}

/** Reads a result that was sent. Errors: validation_failed, and those of `readDocument`. */
export const readResult: Task<TestResultInput, SentResult> = {
  name: 'test-result/read',
  run({ text, path }) {
    const source = readDocument(
      { text, mediaType: 'application/json' },
      { nodesMax: RESULT_NODES_MAX },
    )
    const reading = readTestResult(source, path)
    if (!reading.ok) throw invalidRequest(reading.problems)
    return reading.result
  },
}

/** The stored text of a result, and the members that its answer has instead of those in the text. */
interface StoredTestResult {
  document: string
  summary: TestResultSummary
}

function toTexts(members: readonly [string, Value][]): Record<string, string> {
  return Object.fromEntries(members.map(([name, value]) => [name, jsonText(value)]))
}

const SUMMARY_NAMES = new Set(Object.keys(testResultSummary.shape))

/** Writes a stored result with the members that clients rely on. All others are as they were sent. */
export const presentResult: Task<StoredTestResult, TextOutput> = {
  name: 'test-result/present',
  run({ document, summary }) {
    const value = readStored({ document, mediaType: 'application/json' }).spelled()
    const sent: ObjectValue = isObject(value) ? value : {}
    const others = Object.entries(sent).filter(([name]) => !SUMMARY_NAMES.has(name))
    const text = withMembers(JSON.stringify(summary), toTexts(others))
    return { text, mediaType: 'application/json', headers: {} }
  },
}
