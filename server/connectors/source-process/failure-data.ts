import { z } from 'zod'
import { DialRefused } from '../../platform/kit/dialer.ts'
import { SourceFailure } from '../connector.ts'

/** Errors as plain data, for the transfer from the process that reads a source to this one. */

const CAUSES_MAX = 8
const TEXT_CHARACTERS_MAX = 5000
const STACK_CHARACTERS_MAX = 20_000

const text = z.string().max(TEXT_CHARACTERS_MAX)

const KINDS = [
  'auth',
  'unreachable',
  'permission',
  'rate_limited',
  'too_large',
  'protocol',
  'crashed',
  'cancelled',
] as const

const cause = z.strictObject({ name: text, message: text })

/** A SourceFailure with its causes, from the nearest to the farthest. */
export const sourceFailure = z.strictObject({
  kind: z.enum(KINDS),
  message: text,
  retryAfterMs: z.number().min(0).exactOptional(),
  causes: z.array(cause).max(CAUSES_MAX),
})

/** An unexpected error. */
const otherError = z.strictObject({
  kind: z.literal('unexpected'),
  message: text,
  stack: z.string().max(STACK_CHARACTERS_MAX),
  causes: z.array(cause).max(CAUSES_MAX),
})

/** Any error, as data. */
export const errorData = z.discriminatedUnion('kind', [sourceFailure, otherError])

/** Any error, as data. */
export type ErrorData = z.infer<typeof errorData>

/** A SourceFailure, as data. */
type FailureData = z.infer<typeof sourceFailure>

/** An error of the process that reads a source, as far as it was transferred. */
export class ReaderError extends Error {
  constructor(name: string, message: string, options: { cause?: unknown; stack?: string } = {}) {
    super(message, { cause: options.cause })
    this.name = name
    if (options.stack !== undefined) this.stack = options.stack
  }
}

/** Converts any error to data and truncates its texts. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof SourceFailure) return toFailureData(error)
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return {
    kind: 'unexpected',
    message: cut(message),
    stack: (stack ?? '').slice(0, STACK_CHARACTERS_MAX),
    causes: listCauses(error),
  }
}

/** Converts a SourceFailure to data. */
export function toFailureData(failure: SourceFailure): FailureData {
  const { kind, message, retryAfterMs } = failure
  const more = retryAfterMs === undefined ? {} : { retryAfterMs: Math.max(retryAfterMs, 0) }
  return { kind, message: cut(message), ...more, causes: listCauses(failure.cause) }
}

/** Converts data to an error. */
export function fromErrorData(data: ErrorData): Error {
  if (data.kind !== 'unexpected') return fromFailureData(data)
  const { message, stack, causes } = data
  return new ReaderError('ReaderError', message, { cause: chain(causes), stack })
}

/** Converts data to a SourceFailure. */
export function fromFailureData(data: FailureData): SourceFailure {
  const { kind, message, retryAfterMs, causes } = data
  const more = retryAfterMs === undefined ? {} : { retryAfterMs }
  return new SourceFailure(kind, message, { cause: chain(causes), ...more })
}

// The engine does not retry addresses that the dialer rejected, so the class must be kept.
function chain(causes: FailureData['causes']): Error | undefined {
  return causes.reduceRight<Error | undefined>(
    (inner, { name, message }) =>
      name === 'DialRefused'
        ? new DialRefused(message, { cause: inner })
        : new ReaderError(name, message, { cause: inner }),
    undefined,
  )
}

function listCauses(error: unknown): FailureData['causes'] {
  const causes: FailureData['causes'] = []
  for (let each = error; each instanceof Error && causes.length < CAUSES_MAX; each = each.cause) {
    causes.push({ name: cut(each.name), message: cut(each.message) })
  }
  return causes
}

function cut(whole: string): string {
  return whole.slice(0, TEXT_CHARACTERS_MAX)
}
