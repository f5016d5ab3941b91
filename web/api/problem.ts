import {
  describeUnknownTeam,
  FOR_PROGRAMS,
  MESSAGES,
  type Message,
  type ProblemAction,
  type ProblemCode,
  type ProblemFacts,
} from './messages.ts'
import type { Permission } from './permission-words.ts'
import { DEEDS } from './permission-words.ts'

/** One thing that is wrong with what was sent, and where. */
export interface Violation {
  /** In dotted form: `outputPorts[2].name`; empty for the whole. */
  field: string
  message: string
  /** Both count from 1 and are there for documents. */
  line?: number
  column?: number
}

/** A team that does not exist, as a request named it. */
export type UnknownTeam = NonNullable<ProblemFacts['unknownTeam']>

interface ProblemOptions {
  code?: ProblemCode
  violations?: readonly Violation[]
  retryAfterSeconds?: number | undefined
  action?: ProblemAction | undefined
  unknownTeam?: UnknownTeam | undefined
}

/** An error answer of the server, or no answer at all (status 0), in words for people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  /** Names the error for programs; undefined = it is not from the server. */
  readonly code: ProblemCode | undefined
  /** The event, without a full stop; `message` is the next step, and may be empty. */
  readonly title: string
  readonly violations: readonly Violation[]
  /** Seconds after which it is worth trying again; undefined = the same request fails again. */
  readonly retryAfterSeconds: number | undefined
  /** A link that helps to go on. */
  readonly action: ProblemAction | undefined
  /** The team that the request names and that does not exist. */
  readonly unknownTeam: UnknownTeam | undefined
  /** Aborts when the problem no longer matters, because the user has signed in again. */
  readonly solved: AbortSignal | undefined

  constructor(status: number, title: string, message: string, options: ProblemOptions = {}) {
    super(message)
    this.status = status
    this.title = title
    this.code = options.code
    this.violations = options.violations ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
    this.action = options.action
    this.unknownTeam = options.unknownTeam
    this.solved = isSignedOut(options.code) ? nextSignIn.signal : undefined
  }

  /** The whole message in one text, for places without a title. */
  get summary(): string {
    return this.message === '' ? `${this.title}.` : `${this.title}. ${this.message}`
  }
}

let nextSignIn = new AbortController()

/** Lets every message disappear that asked the user to sign in. */
export function solveSignedOut(): void {
  const solved = nextSignIn
  nextSignIn = new AbortController()
  solved.abort()
}

function isSignedOut(code: ProblemCode | undefined): boolean {
  return code?.startsWith('credentials_') ?? false
}

/** The problem of a server that gave no answer. */
export function unreachable(): Problem {
  return new Problem(
    0,
    'Portbook cannot be reached',
    'The server gave no answer. What you typed is still here: try again in a moment.',
  )
}

/**
 * Reads the problem that an answer carries. `isSignIn` = the request sent a password, so that unknown
 * credentials are a wrong password.
 */
export async function problemOfAnswer(response: Response, isSignIn = false): Promise<Problem> {
  const retry = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isNaN(retry) ? undefined : retry
  const { status } = response
  const body: unknown = await response.json().catch(() => undefined)
  const code = readCode(body)
  if (code === undefined) {
    const message = 'The server gave no reason. Try again in a moment.'
    return new Problem(status, 'This did not work', message, { retryAfterSeconds })
  }
  if (isSignIn && status === 401) {
    const message = 'The e-mail address or the password is wrong.'
    return new Problem(status, 'Wrong password', message)
  }
  const listed = getMember(body, 'violations')
  const found = Array.isArray(listed) ? listed.flatMap(readViolation) : []
  const facts = readFacts(body, found.length)
  const message = MESSAGES[code]({ ...facts, retryAfterSeconds })
  const violations = found.map((violation) => toReadable(violation, facts))
  const { unknownTeam } = facts
  const options = { code, violations, retryAfterSeconds, action: message.action, unknownTeam }
  return new Problem(status, message.title, message.message, options)
}

/** Joins a message into one text. */
function toText({ title, message }: Message): string {
  return `${title}. ${message}`.trim()
}

function toReadable(violation: Violation, { unknownTeam }: ProblemFacts): Violation {
  if (unknownTeam !== undefined && violation.field === unknownTeam.field) {
    return { ...violation, message: toText(describeUnknownTeam(unknownTeam)) }
  }
  if (!FOR_PROGRAMS.test(violation.message)) return violation
  return { ...violation, message: violation.message.replace(/\s*\([^)]*\)|\.\s.*$/gu, '') }
}

function readCode(body: unknown): ProblemCode | undefined {
  const code = getMember(body, 'code')
  return isCode(code) ? code : undefined
}

function isCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(MESSAGES, code)
}

function isPermission(permission: unknown): permission is Permission {
  return typeof permission === 'string' && Object.hasOwn(DEEDS, permission)
}

function readFacts(body: unknown, violationCount: number): ProblemFacts {
  const facts: ProblemFacts = {
    detail: getText(body, 'detail') ?? '',
    instance: getText(body, 'instance') ?? '',
    type: getText(body, 'type') ?? '',
    violationCount,
  }
  const permission = getMember(body, 'permission')
  if (isPermission(permission)) facts.permission = permission
  const team = getMember(body, 'team')
  if (team === null) facts.team = null
  else if (team !== undefined) facts.team = readNamed(team)
  const people = getMember(body, 'people')
  if (Array.isArray(people)) {
    facts.people = people.map((person) => ({ name: getText(person, 'name') ?? '' }))
  }
  const precondition = getText(body, 'precondition')
  if (precondition === 'exists' || precondition === 'changed' || precondition === 'missing') {
    facts.precondition = precondition
  }
  const unknownTeam = getMember(body, 'unknownTeam')
  if (unknownTeam !== undefined) facts.unknownTeam = readUnknownTeam(unknownTeam)
  return facts
}

function readNamed(team: unknown): { id: string; name?: string } {
  const name = getText(team, 'name')
  return { id: getText(team, 'id') ?? '', ...(name === undefined ? {} : { name }) }
}

function readUnknownTeam(team: unknown): UnknownTeam {
  const suggestions = getMember(team, 'suggestions')
  return {
    id: getText(team, 'id') ?? '',
    field: getText(team, 'field') ?? '',
    suggestions: Array.isArray(suggestions)
      ? suggestions.map((one) => {
          const { id, name = id } = readNamed(one)
          return { id, name }
        })
      : [],
  }
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function getText(value: unknown, name: string): string | undefined {
  const member = getMember(value, name)
  return typeof member === 'string' ? member : undefined
}

function readViolation(listed: unknown): Violation[] {
  if (typeof listed !== 'object' || listed === null) return []
  const violation: Violation = {
    field: getText(listed, 'field') ?? '',
    message: getText(listed, 'message') ?? '',
  }
  if ('line' in listed && typeof listed.line === 'number') violation.line = listed.line
  if ('column' in listed && typeof listed.column === 'number') violation.column = listed.column
  return [violation]
}

/** Returns the problem of a request that failed; undefined = it did not. */
export function findProblem({ error }: { error: unknown }): Problem | undefined {
  return error === null ? undefined : toProblem(error)
}

/** Returns any error in the form in which pages show it. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return new Problem(
    0,
    'Something went wrong on this page',
    error instanceof Error ? error.message : 'Reload the page and try again.',
  )
}
