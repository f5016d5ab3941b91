/** One thing that is wrong with what was sent, and where. */
export interface Violation {
  /** In dotted form: `outputPorts[2].name`; empty for the whole. */
  field: string
  message: string
  /** Both count from 1 and are there for documents. */
  line?: number
  column?: number
}

/** A refusal of the server, or no answer at all (status 0). Its message can be shown to people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly title: string
  readonly violations: readonly Violation[]
  /** Seconds after which it is worth trying again; undefined = the same request fails again. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    title: string,
    detail: string,
    more: { violations?: readonly Violation[]; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(detail)
    this.status = status
    this.title = title
    this.violations = more.violations ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

/** Says that the server gave no answer. */
export function unreachable(): Problem {
  return new Problem(
    0,
    'Portbook cannot be reached',
    'The server gave no answer. What you typed is still here: try again in a moment.',
  )
}

/** Reads the refusal that an answer carries. */
export async function problemOfAnswer(response: Response): Promise<Problem> {
  const retry = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isNaN(retry) ? undefined : retry
  const told: unknown = await response.json().catch(() => undefined)
  if (typeof told !== 'object' || told === null) {
    return new Problem(response.status, response.statusText, 'The server gave no reason.', {
      retryAfterSeconds,
    })
  }
  const title = 'title' in told ? String(told.title) : response.statusText
  const detail =
    'detail' in told ? String(told.detail) : 'message' in told ? String(told.message) : title
  const listed: unknown[] =
    'violations' in told && Array.isArray(told.violations) ? told.violations : []
  const violations = listed.flatMap(violationOf)
  return new Problem(response.status, title, detail, { violations, retryAfterSeconds })
}

function violationOf(told: unknown): Violation[] {
  if (typeof told !== 'object' || told === null) return []
  const violation: Violation = {
    field: 'field' in told ? String(told.field) : '',
    message: 'message' in told ? String(told.message) : '',
  }
  if ('line' in told && typeof told.line === 'number') violation.line = told.line
  if ('column' in told && typeof told.column === 'number') violation.column = told.column
  return [violation]
}

/** Gives any error in the form in which pages show it. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    0,
    'Something went wrong on this page',
    error instanceof Error ? error.message : 'The page has no more to say.',
  )
}
