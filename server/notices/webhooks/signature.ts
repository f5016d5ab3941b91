import { createHmac } from 'node:crypto'

// Standard Webhooks, https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** Identifies a message: the same for every attempt, so that receivers can ignore what they have already handled. */
export function toMessageId(deliveryId: string): string {
  return `msg_${deliveryId.replaceAll('-', '')}`
}

/** Returns the headers that sign a message, with one signature for each secret. */
export function signMessage(
  secrets: readonly string[],
  messageId: string,
  timestampSeconds: number,
  payload: string,
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const content = `${messageId}.${timestampSeconds}.${payload}`
    return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
