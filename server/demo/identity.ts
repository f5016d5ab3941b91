import { randomBytes } from 'node:crypto'
import { createDirectoryKey } from '../people/directory/key-service.ts'
import { createGroup } from '../people/directory/group-service.ts'
import { updateUser } from '../people/directory/user-service.ts'
import { SCIM_MAPPING } from '../people/organization-documents/kinds/scim-mapping.ts'
import { putOrganizationDocument } from '../people/organization-documents/service.ts'
import { addDomain } from '../people/providers/domain-service.ts'
import { createProvider } from '../people/providers/service.ts'
import { newToken } from '../platform/kit/token.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import { DOMAIN, findPrincipal, toAddress, type Principals } from './people.ts'
import { PROVIDER_GROUPS } from './provider-people.ts'
import { loadPackage } from './provider-package.ts'
import { listenOnLoopback, toIssuer } from './provider-server.ts'
import { DEMO_CLIENT_PREFIX } from './provider-store.ts'
import { canHaveProvider } from './provider.ts'
import { newOwnerCaller } from './register.ts'

const REQUEST_ID = 'demo'
const NO_CONDITIONS = { ifMatch: undefined, ifNoneMatch: undefined }

/** The roles of groups. The other groups of the provider and of the directory have none. */
const MAPPING = {
  scimGroupDefaults: { defaultTeamMemberRole: 'Member' },
  scimGroupMappings: [
    {
      scimGroup: PROVIDER_GROUPS.mapped,
      type: 'teamMemberRole',
      teamId: 'terminals',
      teamMemberRole: 'Editor',
    },
    { scimGroup: 'Rail Safety', type: 'teamMember', teamId: 'crew-and-safety' },
  ],
} as const

/** The groups of the directory. */
const DIRECTORY_GROUPS = [
  { displayName: 'Rail Safety', members: ['jorrit.wael', 'radu.ionescu'] },
  { displayName: 'Night Shift', members: ['radu.ionescu'] },
] as const

/** A member that the directory has suspended. */
const SUSPENDED = 'oddny.fjeldstad'

/** Connects a provider, where it can run, and a directory with groups, and lets it suspend a member. */
export async function addIdentity(
  services: Services,
  organizationId: string,
  principals: Principals,
): Promise<void> {
  const owner = newOwnerCaller(organizationId, findPrincipal(principals, 'henrike.vossberg'))
  await putOrganizationDocument(services, owner, SCIM_MAPPING, {
    body: { text: JSON.stringify(MAPPING), mediaType: 'application/json' },
    conditions: NO_CONDITIONS,
    requestId: REQUEST_ID,
  })
  await addProvider(services, owner)
  await addDirectory(services, organizationId, principals)
}

/** Connects a provider of this machine; none if it cannot run. */
export async function addProvider(services: Services, owner: Caller): Promise<void> {
  if (!canHaveProvider(services) || (await loadPackage()) === undefined) return
  // The port is free again at once: the provider starts when the load has ended.
  const listening = await listenOnLoopback(0)
  if (listening === undefined) return
  const { server, port } = listening
  await new Promise((closed) => server.close(closed))
  const domain = DOMAIN.slice(1)
  await addDomain(services, owner, { domain, requestId: REQUEST_ID })
  await createProvider(services, owner, {
    requestId: REQUEST_ID,
    form: {
      name: 'Velmora',
      issuer: toIssuer(port),
      clientId: `${DEMO_CLIENT_PREFIX}${randomBytes(8).toString('hex')}`,
      clientAuthentication: 'basic',
      clientSecret: newToken('demo_'),
      subjectClaim: 'sub',
      emailTrust: 'claim',
      domains: [domain],
      joinRule: 'groups',
      groupsClaim: 'groups',
      sessionHours: 12,
      signsOut: false,
      authority: null,
      enabled: true,
    },
  })
}

async function addDirectory(
  { db }: Services,
  organizationId: string,
  principals: Principals,
): Promise<void> {
  const actor = { principal: findPrincipal(principals, 'henrike.vossberg'), requestId: REQUEST_ID }
  // The secret is discarded, so that the key cannot be used.
  const key = await createDirectoryKey(db, organizationId, actor)
  const directory = { principal: `directory:${key.id}`, requestId: REQUEST_ID }
  const findId = (name: string): string => findPrincipal(principals, name).replace(/^user:/, '')
  for (const { displayName, members } of DIRECTORY_GROUPS) {
    const added = members.map(findId)
    const change = { displayName, members: { clears: true, added, removed: [] } }
    await createGroup(db, organizationId, change, directory)
  }
  await updateUser(
    db,
    organizationId,
    {
      id: findId(SUSPENDED),
      change: { userName: toAddress(SUSPENDED), active: false },
      conditions: NO_CONDITIONS,
    },
    directory,
  )
}
