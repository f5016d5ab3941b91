import { randomUUID } from 'node:crypto'
import type { z } from '@hono/zod-openapi'
import type { Caller } from '../requests/access/caller.ts'
import { ApiError } from '../platform/errors.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { MailFailure, type Mail } from '../platform/kit/smtp-client.ts'
import { renderMail } from '../delivery/mail/mail-text.ts'
import { getPerson } from '../people/users/service.ts'
import type { testMailResult } from './about.ts'

const TIMEOUT_MS = 20_000

/**
 * Sends a test message to the address of the caller, so that it cannot annoy another person. Errors: invalid_state
 * without a mail server, too_many_requests.
 */
export async function mailTest(
  { db, mailing, baseUrl, log }: Pick<Services, 'db' | 'mailing' | 'baseUrl' | 'log'>,
  caller: Caller,
): Promise<z.infer<typeof testMailResult>> {
  if (mailing === undefined) {
    throw new ApiError('invalid_state', 'No mail server is configured. Set PORTBOOK_SMTP_URL.')
  }
  const userId = caller.userId ?? ''
  const { allowed, resetSeconds } = mailing.rate(userId)
  if (!allowed) {
    throw new ApiError('too_many_requests', 'You sent too many test messages.', {
      retryAfterSeconds: resetSeconds,
    })
  }
  const { email } = await getPerson(db, userId)
  try {
    await mailing.client.send(newTestMail(email, baseUrl), AbortSignal.timeout(TIMEOUT_MS))
    return { to: email, problem: null }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    log.warn({ userId, err: error.cause ?? error }, 'a test message was not accepted')
    return { to: email, problem: error.message }
  }
}

/** Writes a test message. */
export function newTestMail(to: string, baseUrl: string): Mail {
  const parts = renderMail({
    subject: 'Test message of Portbook',
    paragraphs: [['Portbook can send e-mail.'], [{ label: 'Open Portbook', url: baseUrl }]],
    footer: [['You receive this message because the settings of Portbook were tested.']],
  })
  return { to, id: `test-${randomUUID()}`, ...parts }
}
