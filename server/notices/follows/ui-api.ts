import type { z } from '@hono/zod-openapi'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { followForm, followList, followQuery, followState } from './follow.ts'
import * as service from './service.ts'

const UNKNOWN = describeError('No such data product, data contract or team')
const INVALID = describeError('The search has an unknown parameter, or finds everything')

/** `GET /ui/follow`: the follow of the caller. */
export const getFollow: Endpoint<never, z.infer<typeof followQuery>> = {
  operation: 'getFollow',
  summary: 'Get whether you follow something, and how many people do',
  lane: 'point',
  permission: 'a session',
  query: followQuery,
  answers: {
    200: { description: 'The state', schema: followState },
    404: UNKNOWN,
    422: INVALID,
  },
  async handle({ services, caller, query }) {
    return jsonAnswer(
      200,
      followState,
      await service.getShownFollowState(services.db, caller, query),
    )
  },
}

/** `PUT /ui/follow`: follows or mutes a subject. */
export const putFollow: Endpoint = {
  operation: 'putFollow',
  summary: 'Follow something, or mute what you follow by default',
  permission: 'a session',
  body: formBody(followForm, 'What to follow or mute'),
  answers: {
    200: { description: 'The new state', schema: followState },
    404: UNKNOWN,
    409: describeError('You follow as much as you can'),
    422: INVALID,
  },
  async handle({ services, caller, body }) {
    const { muted, ...subject } = readForm(body, followForm)
    await service.follow(services, caller, subject, muted)
    return jsonAnswer(
      200,
      followState,
      await service.getShownFollowState(services.db, caller, subject),
    )
  },
}

/** `DELETE /ui/follow`: ends following or muting a subject. */
export const deleteFollow: Endpoint<never, z.infer<typeof followQuery>> = {
  operation: 'deleteFollow',
  summary: 'Unfollow or unmute something',
  permission: 'a session',
  query: followQuery,
  answers: {
    204: { description: 'You neither follow nor mute it' },
    404: UNKNOWN,
    422: INVALID,
  },
  async handle({ services, caller, query }) {
    await service.unfollow(services.db, caller, query)
    return { status: 204 }
  },
}

/** `GET /ui/follows`: everything that the caller follows or has muted. */
export const listFollows: Endpoint = {
  operation: 'listFollows',
  summary: 'List what you follow or have muted',
  permission: 'a session',
  answers: { 200: { description: 'The subjects', schema: followList } },
  async handle({ services, caller }) {
    return jsonAnswer(200, followList, await service.listFollows(services.db, caller))
  },
}
