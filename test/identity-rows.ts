/** Rows of a provider and a directory, in every table of theirs. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SecretBox } from '../server/platform/kit/secret-box.ts'
import { toSealContext } from '../server/platform/sealed-secrets.ts'
import type { Database } from '../server/platform/tables.ts'
import type { World } from './world.ts'

const MAPPING = `scimGroupMappings:
  - {scimGroup: Unmapped, type: teamMemberRole, teamId: a, teamMemberRole: Editor}
`

/** Adds a row to every table of providers, sign-in and the directory. */
export async function addIdentityRows(
  db: Database,
  box: SecretBox,
  { organizationId, userIds }: Pick<World, 'organizationId' | 'userIds'>,
): Promise<void> {
  const providerId = randomUUID()
  const transactionId = randomUUID()
  const groupId = randomUUID()
  const sessionId = randomUUID()
  const { keyId } = box
  const user = userIds.Um
  const secret = box.seal(
    'secret',
    toSealContext('identity_provider_secret', [organizationId, providerId]),
  )
  const transaction = box.seal('{}', toSealContext('sign_in_transaction', [transactionId]))
  const idToken = box.seal('token', toSealContext('session_id_token', [sessionId]))
  const statements = [
    sql`insert into identity_provider (organization_id, id, name, issuer, client_id, client_authentication, domains, updated_by)
      values (${organizationId}, ${providerId}, 'Größe', 'https://id.velmora.example/', 'portbook', 'basic',
        '{velmora.example}', 'system')`,
    sql`insert into identity_provider_secret (organization_id, provider_id, sealed, key_id)
      values (${organizationId}, ${providerId}, ${secret}, ${keyId})`,
    sql`insert into provider_identity (organization_id, provider_id, subject, user_id, groups, group_keys, groups_known)
      values (${organizationId}, ${providerId}, 'subject', ${user}, '{Größe}', '{größe}', true)`,
    sql`insert into provider_failure (organization_id, provider_id, id, code, sentence, request_id)
      values (${organizationId}, ${providerId}, ${randomUUID()}, 'provider_refused', 'Refused.', 'request')`,
    sql`insert into organization_domain (organization_id, domain, challenge, verified_at, proof, updated_by)
      values (${organizationId}, 'velmora.example', 'challenge', now(), 'dns', 'system')`,
    sql`insert into organization_sign_in (organization_id, updated_by) values (${organizationId}, 'system')`,
    sql`insert into break_glass (organization_id, user_id, created_by)
      values (${organizationId}, ${userIds.Uo}, 'system')`,
    sql`insert into sign_in_transaction (id, secret_hash, kind, organization_id, provider_id, sealed, key_id, created_at)
      values (${transactionId}, sha256('sign-in'), 'sign-in', ${organizationId}, ${providerId}, ${transaction}, ${keyId}, now())`,
    sql`insert into used_token (organization_id, used_at_id, token_hash, expires_at)
      values (${organizationId}, ${providerId}, sha256('token'), now())`,
    sql`insert into session (token_hash, id, user_id, organization_id, provider_id, subject, method, created_at, last_used_at)
      values (sha256('session'), ${sessionId}, ${user}, ${organizationId}, ${providerId}, 'subject', 'provider', now(), now())`,
    sql`insert into session_id_token (session_id, organization_id, sealed, key_id)
      values (${sessionId}, ${organizationId}, ${idToken}, ${keyId})`,
    sql`insert into directory_key (organization_id, id, secret_hash, secret_prefix, created_by)
      values (${organizationId}, ${randomUUID()}, sha256('directory'), 'pbs_abcd', 'system')`,
    sql`insert into directory_user (organization_id, user_id, user_name, user_name_key, external_id, updated_by)
      values (${organizationId}, ${user}, 'Jo', 'jo', '1', 'system')`,
    sql`insert into directory_group (organization_id, id, display_name, display_name_key, updated_by)
      values (${organizationId}, ${groupId}, 'Größe', 'größe', 'system')`,
    sql`insert into directory_group_member (organization_id, group_id, user_id)
      values (${organizationId}, ${groupId}, ${user})`,
    sql`insert into directory_mapping (organization_id, position, group_name, group_key, kind, team, role)
      values (${organizationId}, 1, 'Unmapped', 'unmapped', 'teamMemberRole', 'a', 'Editor')`,
    sql`insert into organization_document (organization_id, kind, document, media_type, updated_at, updated_by)
      values (${organizationId}, 'scim-mapping', ${MAPPING}, 'application/yaml', now(), 'system')`,
    sql`insert into directory_state (organization_id, last_request_at) values (${organizationId}, now())`,
    sql`insert into directory_refusal (organization_id, id, method, path, status, sentence, request_id)
      values (${organizationId}, ${randomUUID()}, 'PATCH', '/Users/1', 400, 'Refused.', 'request')`,
  ]
  for (const statement of statements) await statement.execute(db)
}
