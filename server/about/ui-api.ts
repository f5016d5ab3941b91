import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../http/endpoint.ts'
import { about } from './about.ts'
import { describeInstallation } from './service.ts'

/** `GET /ui/about`: what runs here. */
export const getAbout: Endpoint<never, object> = {
  operation: 'getAbout',
  summary: 'Tell what runs here, and whether its store answers',
  permission: 'a session',
  params: [],
  query: z.object({}),
  answers: { 200: { description: 'The installation, as this process sees it', schema: about } },
  async handle({ services }) {
    return jsonAnswer(200, about, await describeInstallation(services))
  },
}
