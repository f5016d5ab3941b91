/** Errors of drivers of databases, as failures with messages in our wording. */

import { DialRefused } from '../../platform/kit/dialer.ts'
import { findNetworkSentence } from '../../platform/kit/network-error.ts'
import { newCancellation, SourceFailure, type FailureKind } from '../connector.ts'

/** The facts that every message may mention. */
export interface ConnectionFacts {
  /** `db.example:5432`. */
  address: string
  isAborted: boolean
}

/** The kind of a failure, and its message. */
export type FailureMessage<Facts> = readonly [FailureKind, (facts: Facts) => string]

type ConnectionMessage = FailureMessage<ConnectionFacts>

/** The message of a lost connection. */
export const LOST: ConnectionMessage = [
  'unreachable',
  ({ address }) => `The connection to ${address} was lost.`,
]

/** The message of a server whose certificate is not accepted. */
export const BAD_CERTIFICATE: ConnectionMessage = [
  'unreachable',
  ({ address }) => `The certificate of ${address} does not match the host or is not trusted.`,
]

/** The message of a server that does not answer in time. */
export const SILENT: ConnectionMessage = [
  'unreachable',
  ({ address }) => `${address} did not answer in time.`,
]

/** The message of a lock that another session holds. */
export const LOCKED: ConnectionMessage = [
  'protocol',
  () => 'The source did not release a lock in time.',
]

const BAD_CLIENT_CERTIFICATE: ConnectionMessage = [
  'auth',
  ({ address }) => `${address} rejected the TLS handshake: check the client certificate.`,
]
const BAD_PEM: ConnectionMessage = [
  'auth',
  () => 'The CA, the client certificate or its key is not valid PEM.',
]

/** Converts an error to a failure with the message that `find` returns; the driver's error is the cause. */
export function toDriverFailure<Facts extends ConnectionFacts>(
  error: unknown,
  facts: Facts,
  find: (error: unknown) => FailureMessage<Facts>,
): SourceFailure {
  if (facts.isAborted) return newCancellation(error)
  for (const each of listErrors(error)) {
    if (each instanceof SourceFailure) return each
    if (each instanceof DialRefused) {
      return new SourceFailure('unreachable', each.message, { cause: error })
    }
  }
  const [kind, getMessage] = find(error)
  return new SourceFailure(kind, getMessage(facts), { cause: error })
}

/** Finds the message for an error of the network by its code; undefined for other errors. */
export function findNetworkMessage(code: string): ConnectionMessage | undefined {
  const network = findNetworkSentence(code)
  return network && ['unreachable', ({ address }) => network(address)]
}

/** Finds the message for an error of the client's certificate or key by its code; undefined for other errors. */
export function findTlsMessage(code: string): ConnectionMessage | undefined {
  if (code.includes('ALERT')) return BAD_CLIENT_CERTIFICATE
  return code.startsWith('ERR_OSSL') ? BAD_PEM : undefined
}

/** Returns the message of a statement that the timeout stopped. */
export function describeTimeout(timeoutMs: number): string {
  return `A statement took longer than ${timeoutMs / 1000} s and was stopped`
}

const CAUSES_MAX = 5

/** Lists an error with its causes, and the first error of several. */
export function listErrors(error: unknown): Error[] {
  const errors: Error[] = []
  for (let each = error; each instanceof Error && errors.length < CAUSES_MAX;) {
    errors.push(each)
    each = each instanceof AggregateError ? each.errors[0] : each.cause
  }
  return errors
}

/** Returns the code of an error, such as a SQLSTATE or one of the operating system; empty if it has none. */
export function getErrorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** The time after the server's own timeout before a statement is abandoned. */
const ANSWER_MARGIN_MS = 10_000

/**
 * Waits for an answer slightly longer than the server's own timeout, which does not help if the network drops
 * everything.
 */
export function watchAnswer(
  address: string,
  timeoutMs: number,
  onSilence: (failure: SourceFailure) => void,
): { stop(): void } {
  const timer = setTimeout(() => {
    const message = `${address} stopped responding in the middle of a statement.`
    onSilence(new SourceFailure('unreachable', message))
  }, timeoutMs + ANSWER_MARGIN_MS)
  return { stop: () => clearTimeout(timer) }
}
