import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../http/endpoint.ts'
import { home } from './home.ts'
import { homeOf } from './service.ts'

/** `GET /ui/home`: what is the person's, what changed, what waits. */
export const getHome: Endpoint<never, object> = {
  operation: 'getHome',
  summary: "Tell the caller's products, what changed this week and what waits for the caller",
  permission: 'a session',
  params: [],
  query: z.object({}),
  answers: { 200: { description: 'The first page', schema: home } },
  async handle({ services, caller }) {
    return jsonAnswer(200, home, await homeOf(services, caller))
  },
}
