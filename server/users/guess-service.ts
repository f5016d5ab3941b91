import { createHash } from 'node:crypto'
import { hashPassword, verifyPassword } from '@better-auth/utils/password'
import { Refusal } from '../errors.ts'
import type { Services } from '../http/endpoint.ts'
import * as guesses from './guess-store.ts'
import { findAccount, findAccountByEmail } from './store.ts'
import { emailKeyOf, type Account } from './user.ts'

/** What the work with passwords needs. */
export type PasswordServices = Pick<Services, 'db' | 'clock' | 'inTurn'>

// A person mistypes a few times; who guesses on waits longer and longer, up to a quarter of an hour.
const ACCOUNT_LIMIT: guesses.GuessLimit = { freeMax: 5, waitSecondsMax: 15 * 60 }
// Behind one address may be a whole company, so it has more guesses and shorter waits.
const CLIENT_LIMIT: guesses.GuessLimit = { freeMax: 50, waitSecondsMax: 5 * 60 }

// The hash of a password that nobody knows, made once by the same function.
const NOBODYS_HASH =
  '2138188abb6d376a92b510f49d5a3844:ace75e44e68f784e816b7285cf23ca5107e1ef1597680a8baec9c01e98f95cfc233ce43107c8749f68d0cac9b016ece5be8305ed1fc2a9e201926e2ad93c3993'
const HASH = /^[0-9a-f]{32}:[0-9a-f]{128}$/

/** Hashes a password with scrypt; it takes tens of milliseconds, so never inside a transaction. */
export async function passwordHashOf(password: string): Promise<string> {
  return await hashPassword(password)
}

/**
 * Finds the account that has an address and a password. An unknown address is answered like a wrong
 * password, and in the same time. Wrong ones are counted, for the account and for the client's
 * address; where the person signed in before the account has a count of its own, so that strangers
 * who guess cannot keep its owner out. Errors: credentials_unknown, too_many_requests.
 */
export async function findAccountByPassword(
  services: PasswordServices,
  { email, password, client }: { email: string; password: string; client: string },
): Promise<Account> {
  const { db, clock } = services
  const byClient = subjectOf('client', client)
  const byAccount = subjectOf('account', emailKeyOf(email))
  const byPlace = subjectOf('place', emailKeyOf(email), client)
  const isKnown = await guesses.isKnownPlace(db, clock, byPlace)
  await takeGuess(services, byClient, CLIENT_LIMIT)
  await takeGuess(services, isKnown ? byPlace : byAccount, ACCOUNT_LIMIT)
  const account = await findAccountByEmail(db, email)
  const isRight = await isPasswordOf(services, account, password)
  if (account === undefined || !isRight) {
    throw new Refusal('credentials_unknown', 'The address or the password is wrong.')
  }
  await guesses.giveGuessBack(db, byClient)
  await guesses.deleteGuesses(db, byAccount)
  await guesses.upsertSuccess(db, clock, byPlace)
  return account
}

/**
 * Finds the account of somebody who is signed in, if the password is theirs; undefined = it is not.
 * Guessing is limited here too: a session that was left open must not give the password away. Errors:
 * too_many_requests.
 */
export async function findOwnAccount(
  services: PasswordServices,
  userId: string,
  password: string,
): Promise<Account | undefined> {
  const subject = subjectOf('person', userId)
  await takeGuess(services, subject, ACCOUNT_LIMIT)
  const account = await findAccount(services.db, userId)
  if (!(await isPasswordOf(services, account, password))) return undefined
  await guesses.deleteGuesses(services.db, subject)
  return account
}

async function takeGuess(
  { db, clock }: PasswordServices,
  subject: Buffer,
  limit: guesses.GuessLimit,
): Promise<void> {
  const waitSeconds = await guesses.takeGuess(db, clock, subject, limit)
  if (waitSeconds === 0) return
  throw new Refusal(
    'too_many_requests',
    `Too many wrong passwords. Wait ${durationOf(waitSeconds)}, then try again.`,
    { retryAfterSeconds: waitSeconds },
  )
}

// One at a time: however many sign in at once, they take one core and no more.
async function isPasswordOf(
  { inTurn }: PasswordServices,
  account: Account | undefined,
  password: string,
): Promise<boolean> {
  const hash = account?.passwordHash ?? ''
  const isUsable = HASH.test(hash)
  const isRight = await inTurn('password', () =>
    verifyPassword(isUsable ? hash : NOBODYS_HASH, password),
  )
  return isUsable && isRight
}

function subjectOf(...parts: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

function durationOf(seconds: number): string {
  if (seconds === 1) return 'a second'
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
