import type { Database } from '../tables.ts'

/** Finds the document of a notification channel, as JSON text. `team` is the external id. */
export async function findChannelDocument(
  db: Database,
  organizationId: string,
  { team, channelId }: { team: string; channelId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('plain_record')
    .select('document')
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'notification-channel')
    .where('scope', '=', team)
    .where('external_id', '=', channelId)
    .executeTakeFirst()
  return row?.document
}
