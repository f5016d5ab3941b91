import { SEALED_TABLE_NAMES, SEALED_TABLES } from '../../platform/sealed-secrets.ts'
import { sqlCheck, type Check } from './check.ts'

/** Checks API keys and sealed secrets. */
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
  ...SEALED_TABLE_NAMES.map((table) => {
    const { called, place, repair } = SEALED_TABLES[table]
    return sqlCheck(
      { name: `every ${called} is sealed with an encryption key of this store`, repair },
      `select organization_id, ${place} || ' is sealed with the key ' || key_id as finding
       from ${table}
       where key_id not in (select id from encryption_key)`,
    )
  }),
]
