import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import {
  newFairQueue,
  QueueFull,
  type FairQueueLimits,
  type QueueTurn,
} from '../../platform/kit/fair-queue.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import { rateLimit } from '../../platform/kit/rate-limit.ts'
import * as attempts from './attempt-store.ts'
import { matchPassword, PASSWORD_COST } from './password.ts'
import type { SignInOrigin } from './session.ts'
import { findAccount, listAccounts } from './store.ts'
import { toEmailKey, type Account } from './user.ts'

/** The services that password checks need. */
export type PasswordServices = Pick<
  Services,
  'db' | 'clock' | 'passwordCost' | 'passwordQueue' | 'passwordRate'
>

// A few attempts are free; further ones wait increasingly long, up to a quarter of an hour.
const ACCOUNT_LIMIT: attempts.AttemptLimit = { freeMax: 5, waitSecondsMax: 15 * 60 }
// A whole company may share one client address, so it has more attempts and shorter waits.
const CLIENT_LIMIT: attempts.AttemptLimit = { freeMax: 50, waitSecondsMax: 5 * 60 }

// Limits password checks to one at a time, so that sign-ins use at most one core.
const PASSWORD_QUEUE_LIMITS: FairQueueLimits = { runningMax: 1, waitingMax: 20 }
// The maximum number of passwords per minute that a process checks from clients unknown to the account.
const PASSWORDS_PER_MINUTE = 300
const QUEUE_RETRY_SECONDS = 2

/** The credentials of a person, and the client that sent them. */
export interface SignInAttempt extends SignInOrigin {
  email: string
  password: string
  client: string
  requestId: string
}

/** Creates the services of a process that check passwords. */
export function newPasswordServices(
  passwordCost = PASSWORD_COST,
  perMinute = PASSWORDS_PER_MINUTE,
): Pick<Services, 'passwordCost' | 'passwordQueue' | 'passwordRate'> {
  return {
    passwordCost,
    passwordQueue: newFairQueue(PASSWORD_QUEUE_LIMITS),
    passwordRate: rateLimit(perMinute),
  }
}

/**
 * Finds the account with an address and a password; if several match, the one whose password was set last. An
 * unknown address has the same error and response time as a wrong password.
 *
 * Failed attempts are counted per client address and per e-mail address. An account has a separate count for each
 * client from which the person has signed in before, so that strangers cannot lock them out. A success never resets
 * the count of the e-mail address: otherwise the owner of one account could try passwords of another account with
 * the same address without limit.
 *
 * Errors: credentials_unknown, too_many_requests (also if too many people sign in at once).
 */
export async function findAccountByPassword(
  services: PasswordServices,
  { email, password, client, requestId }: Omit<SignInAttempt, 'userAgent'>,
): Promise<Account> {
  const { db, clock } = services
  const byClient = toSubject('client', client)
  const byEmail = toSubject('account', toEmailKey(email))
  const accounts = await listAccounts(db, email)
  // A subject per account and client.
  const pairs = new Map(accounts.map(({ id }) => [id, toSubject('place', id, client)]))
  const trusted = await attempts.listRecentSuccesses(db, clock, [...pairs.values()])
  if (trusted.length === 0) limitInstallation(services)
  await recordFailedAttempt(services, byClient, CLIENT_LIMIT)
  const attempt = await recordFailedAttempts(services, byEmail, trusted)
  const candidates = accounts.filter(({ id }) => attempt.isAllowed(pairs.get(id)))
  const hashes = candidates.map(({ passwordHash }) => passwordHash)
  const turn = { flow: [client], isPreferred: trusted.length > 0 }
  const release = async (): Promise<void> => {
    for (const subject of [byClient, ...attempt.subjects])
      await attempts.releaseAttempt(db, subject)
  }
  const matches = await matchInTurn(services, turn, hashes, password).catch(async (error) => {
    // A password that was not checked does not count.
    await release()
    throw error
  })
  const account = candidates.find((_, index) => matches[index] === true)
  const pair = account && pairs.get(account.id)
  if (account === undefined || pair === undefined) {
    const userIds = accounts.map(({ id }) => id)
    await attempts.recordRejection(db, clock, { subject: byClient, userIds, requestId })
    throw new ApiError('credentials_unknown', 'The address or the password is wrong.')
  }
  await release()
  await attempts.upsertSuccess(db, clock, pair)
  return account
}

/** A recorded sign-in attempt. */
interface Attempt {
  /** The subjects for which the attempt was counted. */
  subjects: Buffer[]
  /** Returns whether the password of an account may be checked, by its account and client. */
  isAllowed(pair: Buffer | undefined): boolean
}

/**
 * Records a failed attempt for the e-mail address and for each of its accounts that trusts this client. Errors:
 * `too_many_requests` if no account may be tried.
 */
async function recordFailedAttempts(
  { db, clock }: PasswordServices,
  byEmail: Buffer,
  trusted: readonly Buffer[],
): Promise<Attempt> {
  const subjects: Buffer[] = []
  const waits: number[] = []
  for (const subject of [byEmail, ...trusted]) {
    const waitSeconds = await attempts.recordFailedAttempt(db, clock, subject, ACCOUNT_LIMIT)
    if (waitSeconds === 0) subjects.push(subject)
    else waits.push(waitSeconds)
  }
  if (subjects.length === 0) throw tooManyAttempts(Math.min(...waits))
  return {
    subjects,
    isAllowed: (pair) => pair !== undefined && isIn(subjects, isIn(trusted, pair) ? pair : byEmail),
  }
}

function isIn(subjects: readonly Buffer[], one: Buffer): boolean {
  return subjects.some((subject) => subject.equals(one))
}

/**
 * Finds the account of a signed-in person, if the password is correct. Failed attempts are limited here, too, so
 * that an unattended session does not reveal the password. Errors: too_many_requests.
 */
export async function findOwnAccount(
  services: PasswordServices,
  userId: string,
  password: string,
): Promise<Account | undefined> {
  const subject = toSubject('person', userId)
  await recordFailedAttempt(services, subject, ACCOUNT_LIMIT)
  const account = await findAccount(services.db, userId)
  const hashes = account === undefined ? [] : [account.passwordHash]
  const turn = { flow: [`user:${userId}`], isPreferred: true }
  const [isCorrect] = await matchInTurn(services, turn, hashes, password)
  if (isCorrect !== true) return undefined
  await attempts.deleteAttempts(services.db, subject)
  return account
}

/**
 * Deletes the counts of failed attempts of an account, and those of an address if no other account has it. Counts by
 * client address have no text that leads back to the person, and expire after thirty days.
 */
export async function forgetAttempts(
  db: Services['db'],
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await attempts.deleteAttempts(db, toSubject('person', userId))
  const others = (await listAccounts(db, email)).filter(({ id }) => id !== userId)
  if (others.length === 0) {
    await attempts.deleteAttempts(db, toSubject('account', toEmailKey(email)))
  }
}

function limitInstallation({ passwordRate }: PasswordServices): void {
  const { allowed, resetSeconds } = passwordRate('installation')
  if (allowed) return
  throw new ApiError(
    'too_many_requests',
    'Too many people are signing in. Try again in a minute.',
    {
      retryAfterSeconds: resetSeconds,
    },
  )
}

async function matchInTurn(
  { passwordCost, passwordQueue }: PasswordServices,
  turn: QueueTurn,
  hashes: readonly string[],
  password: string,
): Promise<boolean[]> {
  try {
    // The queue of passwords is shared by all organizations, so a request that waits for it holds no slot.
    return await withoutSlot(() =>
      passwordQueue.run(turn, () => matchPassword(passwordCost, hashes, password)),
    )
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    throw new ApiError('too_many_requests', 'Too many people are signing in. Try again shortly.', {
      retryAfterSeconds: QUEUE_RETRY_SECONDS,
      cause: error,
    })
  }
}

async function recordFailedAttempt(
  { db, clock }: PasswordServices,
  subject: Buffer,
  limit: attempts.AttemptLimit,
): Promise<void> {
  const waitSeconds = await attempts.recordFailedAttempt(db, clock, subject, limit)
  if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
}

function tooManyAttempts(waitSeconds: number): ApiError {
  return new ApiError(
    'too_many_requests',
    `Too many wrong passwords. Try again in ${formatSeconds(waitSeconds)}.`,
    { retryAfterSeconds: waitSeconds },
  )
}

function toSubject(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

function formatSeconds(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
