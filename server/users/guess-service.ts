import { createHash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import { QueueFull, type FairQueueLimits, type Turn } from '../kit/fair-queue.ts'
import * as guesses from './guess-store.ts'
import { hashPassword, matchPassword } from './password.ts'
import { findAccount, listAccounts } from './store.ts'
import { emailKeyOf, type Account } from './user.ts'

/** The services that verifying passwords needs. */
export type PasswordServices = Pick<Services, 'db' | 'clock' | 'passwordQueue' | 'passwordRate'>

// The first attempts are free; later ones wait increasingly long, up to a quarter of an hour.
const ACCOUNT_LIMIT: guesses.AttemptLimit = { freeMax: 5, waitSecondsMax: 15 * 60 }
// Behind one address may be a whole company, so it has more guesses and shorter waits.
const CLIENT_LIMIT: guesses.AttemptLimit = { freeMax: 50, waitSecondsMax: 5 * 60 }

/** One at a time, so that concurrent sign-ins use only one core. */
export const PASSWORD_QUEUE_LIMITS: FairQueueLimits = { runningMax: 1, waitingMax: 20 }
/** Passwords that a process checks in a minute for clients where the person never signed in. */
export const PASSWORDS_PER_MINUTE = 300
const QUEUE_RETRY_SECONDS = 2

/** Hashes a password with scrypt. It takes tens of milliseconds, so never call it inside a transaction. */
export async function passwordHashOf(password: string, salt?: string): Promise<string> {
  return await hashPassword(password, salt)
}

/**
 * Finds the account with an address and a password; of several, the one whose password was set last. An
 * unknown address is answered like a wrong password, in the same time.
 *
 * Failed attempts are counted for the client's address and for the e-mail address. Where a person signed in
 * before, their account has a separate count, so that strangers cannot lock them out. A success never resets
 * the count of the e-mail address: the owner of one account could otherwise try passwords of another account
 * with the address forever.
 *
 * Errors: credentials_unknown, too_many_requests (also if too many people sign in at once).
 */
export async function findAccountByPassword(
  services: PasswordServices,
  { email, password, client }: { email: string; password: string; client: string },
): Promise<Account> {
  const { db, clock } = services
  const byClient = subjectOf('client', client)
  const byEmail = subjectOf('account', emailKeyOf(email))
  const accounts = await listAccounts(db, email)
  const places = new Map(accounts.map(({ id }) => [id, subjectOf('place', id, client)]))
  const known = await guesses.listKnownPlaces(db, clock, [...places.values()])
  if (known.length === 0) limitInstallation(services)
  await recordAttempt(services, byClient, CLIENT_LIMIT)
  const attempt = await takeGuesses(services, byEmail, known)
  const candidates = accounts.filter(({ id }) => attempt.isAllowed(places.get(id)))
  const hashes = candidates.map(({ passwordHash }) => passwordHash)
  const turn = { client, isPreferred: known.length > 0 }
  const giveBack = async (): Promise<void> => {
    for (const subject of [byClient, ...attempt.taken]) await guesses.giveGuessBack(db, subject)
  }
  const matches = await matchInTurn(services, turn, hashes, password).catch(async (error) => {
    // A password that was not checked does not count.
    await giveBack()
    throw error
  })
  const account = candidates.find((_, index) => matches[index] === true)
  const place = account && places.get(account.id)
  if (account === undefined || place === undefined) {
    throw new Refusal('credentials_unknown', 'The address or the password is wrong.')
  }
  await giveBack()
  await guesses.upsertSuccess(db, clock, place)
  return account
}

/** The counts that an attempt to sign in was taken from. */
interface Attempt {
  taken: Buffer[]
  /** Returns whether an account may be tried from this place. */
  isAllowed(place: Buffer | undefined): boolean
}

/**
 * Counts an attempt for the e-mail address and for each account with it that is known at this place.
 * Errors: `too_many_requests` when no account may be tried.
 */
async function takeGuesses(
  { db, clock }: PasswordServices,
  byEmail: Buffer,
  knownPlaces: readonly Buffer[],
): Promise<Attempt> {
  const taken: Buffer[] = []
  const waits: number[] = []
  for (const subject of [byEmail, ...knownPlaces]) {
    const waitSeconds = await guesses.recordAttempt(db, clock, subject, ACCOUNT_LIMIT)
    if (waitSeconds === 0) taken.push(subject)
    else waits.push(waitSeconds)
  }
  if (taken.length === 0) throw tooManyGuesses(Math.min(...waits))
  return {
    taken,
    isAllowed: (place) =>
      place !== undefined && isIn(taken, isIn(knownPlaces, place) ? place : byEmail),
  }
}

function isIn(subjects: readonly Buffer[], one: Buffer): boolean {
  return subjects.some((subject) => subject.equals(one))
}

/**
 * Verifies the password of the signed-in person; undefined if it is wrong. Attempts are limited here too,
 * because an unattended session must not reveal the password. Errors: too_many_requests.
 */
export async function findOwnAccount(
  services: PasswordServices,
  userId: string,
  password: string,
): Promise<Account | undefined> {
  const subject = subjectOf('person', userId)
  await recordAttempt(services, subject, ACCOUNT_LIMIT)
  const account = await findAccount(services.db, userId)
  const hashes = account === undefined ? [] : [account.passwordHash]
  const turn = { client: `user:${userId}`, isPreferred: true }
  const [isRight] = await matchInTurn(services, turn, hashes, password)
  if (isRight !== true) return undefined
  await guesses.deleteAttempts(services.db, subject)
  return account
}

function limitInstallation({ passwordRate }: PasswordServices): void {
  const { allowed, resetSeconds } = passwordRate('installation')
  if (allowed) return
  throw new Refusal('too_many_requests', 'Too many people are signing in. Try again in a minute.', {
    retryAfterSeconds: resetSeconds,
  })
}

async function matchInTurn(
  { passwordQueue }: PasswordServices,
  turn: Turn,
  hashes: readonly string[],
  password: string,
): Promise<boolean[]> {
  try {
    return await passwordQueue.run(turn, () => matchPassword(hashes, password))
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error
    throw new Refusal('too_many_requests', 'Too many people are signing in. Try again shortly.', {
      retryAfterSeconds: QUEUE_RETRY_SECONDS,
      cause: error,
    })
  }
}

async function recordAttempt(
  { db, clock }: PasswordServices,
  subject: Buffer,
  limit: guesses.AttemptLimit,
): Promise<void> {
  const waitSeconds = await guesses.recordAttempt(db, clock, subject, limit)
  if (waitSeconds > 0) throw tooManyGuesses(waitSeconds)
}

function tooManyGuesses(waitSeconds: number): Refusal {
  return new Refusal(
    'too_many_requests',
    `Too many wrong passwords. Wait ${durationOf(waitSeconds)}, then try again.`,
    { retryAfterSeconds: waitSeconds },
  )
}

function subjectOf(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

function durationOf(seconds: number): string {
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
