import { FOR_PROGRAMS } from './for-people.ts'
import {
  describeUnknownTeam,
  MESSAGES,
  type Message,
  type ProblemAction,
  type ProblemCode,
  type ProblemFacts,
} from './messages.ts'
import type { components } from './openapi.ts'
import { DEEDS, type Permission } from './permission-words.ts'
import { toUses, type ProblemUses } from './use-list.ts'

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
type UnknownTeam = NonNullable<ProblemFacts['unknownTeam']>

interface ProblemOptions {
  code?: ProblemCode
  violations?: readonly Violation[]
  retryAfterSeconds?: number | undefined
  action?: ProblemAction | undefined
  unknownTeam?: UnknownTeam | undefined
  inUse?: ProblemUses | undefined
  requestId?: string | undefined
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
  /** The uses that prevent the change. */
  readonly inUse: ProblemUses | undefined
  /** The id of the request in the log of the server; undefined = it is not from the server. */
  readonly requestId: string | undefined
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
    this.inUse = options.inUse
    this.requestId = options.requestId
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
  return code === 'provider_required' || (code?.startsWith('credentials_') ?? false)
}

/** The problem of a server that gave no answer. */
export function unreachable(): Problem {
  return new Problem(
    0,
    'Portbook cannot be reached',
    'The server gave no answer. What you typed is still here: try again in a moment.',
  )
}

type ProblemBody = Partial<components['schemas']['Problem']>

/**
 * Reads the problem that an answer carries. `isSignIn` = the request sent a password, so that unknown
 * credentials are a wrong password. A body with one of our codes is from our server; every other body, such as
 * that of a gateway, is ignored.
 */
export async function readProblem(response: Response, isSignIn = false): Promise<Problem> {
  const retry = Number(response.headers.get('retry-after') ?? Number.NaN)
  const retryAfterSeconds = Number.isNaN(retry) ? undefined : retry
  const { status } = response
  const answer: unknown = await response.json().catch(() => undefined)
  const body: ProblemBody = isObject(answer) ? answer : {}
  const { code } = body
  if (!isCode(code)) {
    const message = 'The server gave no reason. Try again in a moment.'
    return new Problem(status, 'This did not work', message, { retryAfterSeconds })
  }
  if (isSignIn && status === 401) {
    const message = 'The e-mail address or the password is wrong.'
    return new Problem(status, 'Wrong password', message)
  }
  const { violations: listed = [], permission, unknownTeam, ...others } = body
  const facts: ProblemFacts = {
    detail: '',
    instance: '',
    ...others,
    ...(isPermission(permission) ? { permission } : {}),
    ...(unknownTeam === undefined ? {} : { unknownTeam }),
    violationCount: listed.length,
    retryAfterSeconds,
  }
  const { title, message, action } = MESSAGES[code](facts)
  const violations = listed.map((violation) => toReadable(violation, facts))
  const inUse = toUses(body)
  const requestId = response.headers.get('x-request-id') ?? undefined
  const options = { code, violations, retryAfterSeconds, action, unknownTeam, inUse, requestId }
  return new Problem(status, title, message, options)
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

function isObject(answer: unknown): answer is object {
  return typeof answer === 'object' && answer !== null
}

// A newer server may have codes and permissions that these pages do not know.
function isCode(code: ProblemCode | undefined): code is ProblemCode {
  return code !== undefined && Object.hasOwn(MESSAGES, code)
}

function isPermission(permission: Permission | undefined): permission is Permission {
  return permission !== undefined && Object.hasOwn(DEEDS, permission)
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
