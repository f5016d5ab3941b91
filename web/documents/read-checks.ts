/** A check of a test result, in the words of the program that sent it. */
export interface TestCheck {
  name: string
  /** In lower case: `passed`, `failed`, `skipped`. */
  outcome: string
  /** The model and field that it is about, such as `orders.order_id`; undefined = the whole contract. */
  subject: string | undefined
  reason: string | undefined
  /** The value that it measured with its limits, such as `3 rows; must be 0`; undefined = not sent. */
  measured: string | undefined
  /** Its category and dimension. */
  labels: string[]
  /** The numbers of values that failed, and of all values; undefined = not sent. */
  failedCount: number | undefined
  totalCount: number | undefined
}

/** A line of the log of a test. */
export interface TestLogLine {
  level: string
  message: string
  at: string | undefined
}

const ORDER = ['error', 'failed', 'warning']

/**
 * Lists the checks of a test result, those that did not pass first. Programs send them as `checks`, or as `results`
 * with sums in `checks`.
 */
export function listChecks(document: unknown): TestCheck[] {
  const sent = [getMember(document, 'checks'), getMember(document, 'results')]
  const checks = sent.find((value) => Array.isArray(value)) ?? []
  return checks.map(toCheck).toSorted((a, b) => getRank(a) - getRank(b))
}

/** Lists the lines of the log of a test result. */
export function listLogLines(document: unknown): TestLogLine[] {
  const logs = getMember(document, 'logs')
  if (!Array.isArray(logs)) return []
  return logs.map((line) => ({
    level: readText(line, 'level') ?? '',
    message: typeof line === 'string' ? line : (readText(line, 'message') ?? ''),
    at: readText(line, 'timestamp'),
  }))
}

function toCheck(check: unknown, at: number): TestCheck {
  const names = ['name', 'check', 'type', 'key'].map((name) => readText(check, name))
  const place = [readText(check, 'model'), readText(check, 'field')].filter(Boolean).join('.')
  const labels = ['category', 'dimension', 'engine'].map((name) => readText(check, name))
  return {
    name: names.find((name) => name !== undefined) ?? `Check ${at + 1}`,
    outcome: (readText(check, 'result') ?? 'unknown').toLowerCase(),
    subject: place === '' ? readText(check, 'path') : place,
    reason: readText(check, 'reason') ?? readText(check, 'message') ?? readText(check, 'details'),
    measured: describeMeasure(check),
    labels: [...new Set(labels)].filter((label) => label !== undefined),
    failedCount: readNumber(check, 'failedNumber'),
    totalCount: readNumber(check, 'totalNumber'),
  }
}

function describeMeasure(check: unknown): string | undefined {
  const value = readNumber(check, 'value') ?? readText(check, 'value')
  if (value === undefined) return undefined
  const unit = readText(check, 'unit')
  const threshold = getMember(check, 'threshold')
  const isRecord = typeof threshold === 'object' && threshold !== null && !Array.isArray(threshold)
  const limits = isRecord ? Object.entries(threshold).map(describeLimit) : []
  return [[value, unit].filter((part) => part !== undefined).join(' '), ...limits].join('; ')
}

/** Writes an operator and its bound in words: `mustBeBetween` 1 and 5 is `must be between 1 and 5`. */
function describeLimit([operator, bound]: [string, unknown]): string {
  const words = operator.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const bounds = Array.isArray(bound) ? bound.map(String).join(' and ') : String(bound)
  return `${words} ${bounds}`
}

function getRank({ outcome }: TestCheck): number {
  const rank = ORDER.indexOf(outcome)
  if (rank !== -1) return rank
  return outcome === 'passed' ? ORDER.length + 1 : ORDER.length
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

function readText(value: unknown, name: string): string | undefined {
  const text = getMember(value, name)
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function readNumber(value: unknown, name: string): number | undefined {
  const number = getMember(value, name)
  return typeof number === 'number' ? number : undefined
}
