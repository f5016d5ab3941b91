import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { channelTestResult, lastDelivery } from './channel.ts'
import { getLastDeliveries, testChannel } from './channel-service.ts'

const LIMITS = { bodyBytesMax: 64 * 1024, idleTimeoutMs: 10_000, totalTimeoutMs: 15_000 }

/** `POST /ui/teams/{id}/notification-channels/{channelId}/test`: posts a test message. */
export const postChannelTest: Endpoint<'id' | 'channelId'> = {
  operation: 'testNotificationChannel',
  summary: 'Post a test message to a notification channel',
  description: 'Waits at most 15 seconds for the chat system.',
  permission: { needs: ['TEAM_EDIT'], on: 'the team' },
  answers: {
    200: { description: 'Whether the chat system accepted it', schema: channelTestResult },
    422: describeError('The channel is disabled'),
  },
  async handle({ services, caller, params: { id: team, channelId } }) {
    const http = await openHttpClient(services.dialer, LIMITS)
    try {
      const problem = await testChannel({ ...services, http }, caller, { team, channelId })
      return jsonAnswer(200, channelTestResult, { problem: problem ?? null })
    } finally {
      http.close()
    }
  },
}

const lastDeliveries = z.array(lastDelivery)

/** `GET /ui/teams/{id}/channel-deliveries`: lists the last message to each channel of a team. */
export const listChannelDeliveries: Endpoint<'id'> = {
  operation: 'listChannelDeliveries',
  summary: 'List the last message to each notification channel of a team',
  permission: { needs: ['TEAM_EDIT'], on: 'the team' },
  answers: {
    200: {
      description: 'The last messages, without channels that got none',
      schema: lastDeliveries,
    },
  },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, lastDeliveries, await getLastDeliveries(services.db, caller, id))
  },
}
