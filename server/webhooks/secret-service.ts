import { randomUUIDv7 } from 'node:crypto'
import type { Clock } from '../kit/clock.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { Database } from '../tables.ts'
import {
  countSealedOtherwise,
  listSealedWith,
  replaceSecret,
  updateSealed,
  type WebhookSecret,
  type SecretPlace,
} from './secret-store.ts'
import { FORMER_SECRET_HOURS, newWebhookSecret } from './webhook.ts'

const RESEALED_AT_ONCE = 100

/** Gives an endpoint a new secret and returns it. The present one signs too for a day. */
export async function renewSecret(
  db: Database,
  clock: Clock,
  box: SecretBox,
  endpoint: Omit<SecretPlace, 'id'>,
): Promise<string> {
  const secret = newWebhookSecret()
  const place = { ...endpoint, id: randomUUIDv7() }
  const sealed = box.seal(secret, toContext(place))
  const options = { keyId: box.keyId, formerHours: FORMER_SECRET_HOURS }
  await replaceSecret(db, clock, { ...place, sealed }, options)
  return secret
}

/** Opens a secret. Errors: if it was sealed with another key. */
export function openWebhookSecret(box: SecretBox, secret: WebhookSecret): string {
  return box.open(secret.sealed, toContext(secret))
}

/**
 * Seals all secrets that are sealed with one key with another. It can be repeated. Returns their number. Errors: if a
 * secret cannot be opened.
 */
export async function resealWebhookSecrets(
  db: Database,
  from: SecretBox,
  to: SecretBox,
): Promise<number> {
  let count = 0
  if (from.keyId === to.keyId) return count
  for (;;) {
    const secrets = await listSealedWith(db, from.keyId, RESEALED_AT_ONCE)
    for (const secret of secrets) {
      const sealed = to.seal(openWebhookSecret(from, secret), toContext(secret))
      await updateSealed(db, secret, { sealed, keyId: to.keyId })
    }
    count += secrets.length
    if (secrets.length < RESEALED_AT_ONCE) return count
  }
}

/** Counts the secrets of all organizations that are sealed with another key. */
export async function countUnreadableSecrets(db: Database, box: SecretBox): Promise<number> {
  return await countSealedOtherwise(db, box.keyId)
}

function toContext({ organizationId, endpointId, id }: SecretPlace): string {
  return `webhook_secret/${organizationId}/${endpointId}/${id}`
}
