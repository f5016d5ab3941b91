import { sqlCheck, type Check } from './check.ts'

/** Checks API keys and sealed credentials. */
export const KEY_CHECKS: readonly Check[] = [
  sqlCheck(
    {
      name: 'API keys are counted',
      repair:
        'update organization set api_key_count = (select count(*) from api_key where organization_id = organization.id)',
    },
    `select organization.id as organization_id,
       format('its count of API keys is %s instead of %s', api_key_count, count(api_key.id)) as finding
     from organization
     left join api_key on api_key.organization_id = organization.id
     group by organization.id
     having api_key_count <> count(api_key.id)`,
  ),
  sqlCheck(
    {
      name: 'every credential is sealed with an encryption key of this store',
      repair: 'enter the credential of the integration again.',
    },
    `select credential.organization_id,
       format('integration "%s": its %s is sealed with the key %s', external_id, field, key_id) as finding
     from credential
     join integration on integration.organization_id = credential.organization_id
       and integration.id = credential.integration_id
     where key_id not in (select id from encryption_key)`,
  ),
]
