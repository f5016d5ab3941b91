import { client } from '../../api/client.ts'
import type { Channel } from './channel-draft.ts'

const PATH = '/api/teams/{id}/notification-channels/{channelId}'

/**
 * Changes some fields of a stored channel and keeps the others as they are now. Errors: Problem, also if another person
 * changes the channel at the same time.
 */
export async function changeChannel(
  path: { id: string; channelId: string },
  changes: Partial<Channel>,
): Promise<void> {
  const { data, response } = await client.GET(PATH, { params: { path } })
  if (data === undefined) throw new Error('The server sent no channel.')
  const etag = response.headers.get('etag')
  await client.PUT(PATH, {
    params: { path },
    body: { ...data, ...changes },
    headers: etag === null ? {} : { 'if-match': etag },
  })
}
