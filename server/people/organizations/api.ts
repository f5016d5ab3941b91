import type { Caller } from '../../requests/access/caller.ts'
import type { SessionReach } from '../users/session.ts'
import { z } from '@hono/zod-openapi'
import { jsonAnswer, type Answer, type Call, type Endpoint } from '../../requests/http/endpoint.ts'
import { formBody, readForm } from '../../requests/http/form.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import { mayUse, PERMISSIONS } from '../../requests/access/permission.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import { getMemberByAddress, listMemberPage } from './member-service.ts'
import { organizationMember } from './member.ts'
import { organizationForm, organizationSettings } from './organization.ts'
import { getSingleSignOn } from './service.ts'
import { createOwnedOrganization, renameOrganization, showSession } from './session-service.ts'
import { session } from './signed-in.ts'

/** `GET /api/organization/settings`: returns the organization and the key of the caller. */
export const getSettings: Endpoint = {
  operation: 'getOrganizationSettings',
  summary: 'Get the organization and the key of the caller',
  lane: 'point',
  permission: 'any key',
  answers: { 200: { description: 'The organization', schema: organizationSettings } },
  async handle({ services, caller }) {
    const sso = await getSingleSignOn(services.db, caller.organizationId)
    return jsonAnswer(200, organizationSettings, {
      organizationId: caller.organizationId,
      name: caller.organizationName,
      vanityUrl: caller.vanityUrl,
      host: services.baseUrl,
      fullName: caller.organizationName,
      logoUrl: '',
      ...(sso !== undefined && { sso }),
      caller: {
        organizationApiKeyId: caller.keyId ?? null,
        displayName: caller.keyName,
        scope: caller.scope,
        teamId: caller.team ?? null,
        readOnly: caller.readOnly,
        permissions: PERMISSIONS.filter((permission) => mayUse(caller, permission)),
      },
    })
  },
}

const memberQuery = z.object({ p: pageParameter })

/** `GET /api/organization/members`: the members, in the order in which they joined. */
export const listOrganizationMembers: Endpoint<never, z.infer<typeof memberQuery>> = {
  operation: 'listOrganizationMembers',
  summary: 'List the members of the organization',
  permission: 'any key',
  query: memberQuery,
  answers: {
    200: {
      description: 'At most 1000 members',
      schema: z.array(organizationMember),
      headers: { link: 'The next page, when there is one' },
    },
  },
  async handle({ services, caller, query: { p: page }, path, search }) {
    const { organizationId } = caller
    const { elements: members, hasMore } = await listMemberPage(services.db, organizationId, page)
    const headers = hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(organizationMember), members, headers)
  },
}

/** `GET /api/organization/members/{email}`: a member. */
export const getOrganizationMember: Endpoint<'email'> = {
  operation: 'getOrganizationMember',
  summary: 'Read a member of the organization',
  permission: 'any key',
  answers: { 200: { description: 'The member', schema: organizationMember } },
  async handle({ services, caller, params: { email } }) {
    const member = await getMemberByAddress(services.db, caller.organizationId, email)
    return jsonAnswer(200, organizationMember, member)
  },
}

/** `PUT /ui/organization`: renames the organization. */
export const putOrganization: Endpoint = {
  operation: 'putOrganization',
  summary: 'Rename the organization',
  permission: 'an owner of the organization',
  body: formBody(organizationForm, 'The new name'),
  answers: { 200: { description: 'The updated session', schema: session } },
  async handle({ services, caller, body, requestId }) {
    requireOwner(caller)
    const { name } = readForm(body, organizationForm)
    const { organizationId, principal } = caller
    await renameOrganization(services.db, organizationId, name, { principal, requestId })
    services.authenticator.forget()
    return await sessionAnswer(200, { services, caller })
  },
}

/** `POST /ui/organizations`: creates another organization, owned by the caller. */
export const createOrganization: Endpoint = {
  operation: 'createOrganization',
  summary: 'Create another organization',
  description: 'The caller becomes its owner. It is isolated from other organizations.',
  permission: 'an owner of the organization',
  body: formBody(organizationForm, 'The name'),
  answers: {
    201: { description: 'The session, with the new organization', schema: session },
    409: describeError('The person is in too many organizations'),
  },
  async handle({ services, caller, body, requestId }) {
    requireOwner(caller)
    const { name } = readForm(body, organizationForm)
    await createOwnedOrganization(services.db, toReach(caller), { name, requestId })
    return await sessionAnswer(201, { services, caller })
  },
}

async function sessionAnswer(
  status: number,
  { services, caller }: Pick<Call<never, unknown>, 'services' | 'caller'>,
): Promise<Answer> {
  const signedIn = await showSession(services.db, toReach(caller), caller.organizationId)
  return jsonAnswer(status, session, signedIn)
}

function toReach({ userId = '', session: own }: Caller): SessionReach {
  return { userId, limitedTo: own?.limitedTo }
}
