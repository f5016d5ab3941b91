/** Identity providers of an organization, through the endpoints of the pages. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ProviderAnswer, ProvidersAnswer } from '../server/people/providers/provider.ts'
import { readJson } from './answers.ts'
import type { World } from './world.ts'

/** The address of the endpoints. */
export const PROVIDERS_PATH = '/ui/identity-providers'

/** A valid form of a provider with a secret. */
export const PROVIDER_FORM = {
  name: 'Velmora ID',
  issuer: 'https://id.velmora.example/realms/main',
  clientId: 'portbook',
  clientAuthentication: 'basic',
  clientSecret: 'ge heim',
  subjectClaim: 'sub',
  emailTrust: 'claim',
  domains: [] as string[],
  joinRule: 'invited',
  groupsClaim: null as string | null,
  sessionHours: 12,
  signsOut: false,
  authority: null as string | null,
  enabled: true,
}

const { clientSecret: _secret, ...CHANGE } = PROVIDER_FORM

/** The same form without the secret, which stays as it is. */
export const PROVIDER_CHANGE = CHANGE

/** Sends the form of a new provider as an owner. */
export async function postProvider(world: World, body: object = {}): Promise<Response> {
  return await world.asPerson('Uo', 'POST', PROVIDERS_PATH, { body: { ...PROVIDER_FORM, ...body } })
}

/** Connects a provider. */
export async function addProvider(world: World, body: object = {}): Promise<ProviderAnswer> {
  return await readJson<ProviderAnswer>(postProvider(world, body), 201)
}

/** Lists the providers. */
export async function listProviders(world: World): Promise<ProvidersAnswer> {
  return await readJson<ProvidersAnswer>(world.asPerson('Uo', 'GET', PROVIDERS_PATH))
}

/** Links a person, whose account the organization then manages, and starts a session of the provider. */
export async function linkPerson(
  { organizationId, userIds, services: { db } }: World,
  providerId: string,
  person: 'Um' | 'Ue' = 'Um',
): Promise<void> {
  const user = userIds[person]
  await sql`
    insert into provider_identity (organization_id, provider_id, subject, user_id, last_sign_in_at)
    values (${organizationId}, ${providerId}, ${person}, ${user}, now())
  `.execute(db)
  await sql`update user_account set managed_by = ${organizationId} where id = ${user}`.execute(db)
  await sql`
    insert into session (
      token_hash, user_id, organization_id, provider_id, subject, method, created_at, last_used_at
    )
    values (
      sha256(${randomUUID()}::bytea), ${user}, ${organizationId}, ${providerId}, ${person}, 'provider', now(), now()
    )
  `.execute(db)
}
