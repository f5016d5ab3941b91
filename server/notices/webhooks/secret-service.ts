import { randomUUIDv7 } from 'node:crypto'
import type { Clock } from '../../platform/kit/clock.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import { openSealed, toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import { replaceSecret, type WebhookSecret, type SecretPlace } from './secret-store.ts'
import { FORMER_SECRET_HOURS, newWebhookSecret } from './webhook.ts'

/** Gives an endpoint a new secret and returns it. The present one signs too for a day. */
export async function renewSecret(
  db: Database,
  clock: Clock,
  box: SecretBox,
  endpoint: Omit<SecretPlace, 'id'>,
): Promise<string> {
  const secret = newWebhookSecret()
  const place = { ...endpoint, id: randomUUIDv7() }
  const sealed = box.seal(secret, toSealContext('webhook_secret', toPlace(place)))
  const options = { keyId: box.keyId, formerHours: FORMER_SECRET_HOURS }
  await replaceSecret(db, clock, { ...place, sealed }, options)
  return secret
}

/** Opens a secret. Errors: SecretUnreadable. */
export function openWebhookSecret(box: SecretBox, secret: WebhookSecret): string {
  return openSealed(box, 'webhook_secret', toPlace(secret), secret.sealed)
}

function toPlace({ organizationId, endpointId, id }: SecretPlace): string[] {
  return [organizationId, endpointId, id]
}
