import { noSessionHeaders } from '../../requests/access/session.ts'
import type { Person } from '../../requests/access/authenticate.ts'
import { jsonAnswer, type Endpoint, type PersonEndpoint } from '../../requests/http/endpoint.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { memberSessions, sessionList } from './session-list.ts'
import * as service from './session-list-service.ts'
import type { SessionReach } from './session.ts'

/** `GET /ui/sessions`: lists the sessions of the signed-in person. */
export const listSessions: PersonEndpoint = {
  operation: 'listSessions',
  summary: 'List your sessions, with their devices',
  description:
    'A session of an identity provider lists only those of its organization, unless the person is in no other.',
  permission: 'authenticated',
  answers: { 200: { description: 'The sessions, the last used first', schema: sessionList } },
  async handle({ services, person }) {
    const all = await service.listOwnSessions(services, toReach(person), person.session.id)
    return jsonAnswer(200, sessionList, all)
  },
}

/** `DELETE /ui/sessions`: ends the sessions in other browsers. */
export const endOtherSessions: PersonEndpoint = {
  operation: 'endOtherSessions',
  summary: 'Sign out everywhere else',
  permission: 'authenticated',
  answers: { 204: { description: 'The other sessions have ended' } },
  async handle({ services, person, requestId }) {
    const { id } = person.session
    await service.endOtherSessions(services.db, toReach(person), id, requestId)
    return { status: 204 }
  },
}

/** `DELETE /ui/sessions/{id}`: ends a session of the signed-in person. */
export const endSession: PersonEndpoint<'id'> = {
  operation: 'endSession',
  summary: 'End one of your sessions',
  permission: 'authenticated',
  answers: { 204: { description: 'The session has ended' } },
  async handle({ services, person, params: { id }, requestId }) {
    await service.endOwnSession(services.db, toReach(person), id, requestId)
    const isOwn = id.toLowerCase() === person.session.id
    return { status: 204, headers: isOwn ? noSessionHeaders() : {} }
  },
}

/** `GET /ui/members/{userId}/sessions`: lists the sessions of a member that concern only the organization. */
export const listMemberSessions: Endpoint<'userId'> = {
  operation: 'listMemberSessions',
  summary: 'List the sessions of a member that concern only this organization',
  lane: 'point',
  permission: 'an owner of the organization',
  answers: { 200: { description: 'The sessions, the last used first', schema: memberSessions } },
  async handle({ services, caller, params: { userId } }) {
    requireOwner(caller)
    const member = { organizationId: caller.organizationId, userId }
    const all = await service.listMemberSessions(services, member, caller.session?.id)
    return jsonAnswer(200, memberSessions, all)
  },
}

/** `DELETE /ui/members/{userId}/sessions/{id}`: ends a session of a member. */
export const endMemberSession: Endpoint<'userId' | 'id'> = {
  operation: 'endMemberSession',
  summary: 'End a session of a member that concerns only this organization',
  permission: 'an owner of the organization',
  answers: { 204: { description: 'The session has ended' } },
  async handle({ services, caller, params: { userId, id }, requestId }) {
    requireOwner(caller)
    const { organizationId, principal } = caller
    const member = { organizationId, userId }
    await service.endMemberSession(services.db, member, id, { principal, requestId })
    return { status: 204 }
  },
}

function toReach({ userId, session: { limitedTo } }: Person): SessionReach {
  return { userId, limitedTo }
}
