import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { ALL_KINDS, getRows } from '../../platform/kinds.ts'
import { KIND_WORDS, RESTORE, sqlCheck, type Check } from './check.ts'

type Current = (typeof ALL_KINDS)[number]

// The kinds with versions, and the tables of their current ones.
const VERSIONED = [
  ...ALL_KINDS.map(({ kind }) => ({ kind, rows: getRows(kind) })),
  { kind: AGREEMENT_KIND, rows: 'access_agreement' },
]

// An asset that was removed from its source is kept for a time, and its last version is marked as deleted.
function differsFromLastVersion({ kind, called }: Current): string {
  const isDeleted = kind === 'asset' ? '(stored.deleted_at is not null)' : 'false'
  return `
    select stored.organization_id, format(
      '${called} "%s": %s', stored.external_id,
      case
        when revision.version is null then format('version %s is missing from its history', stored.version)
        when revision.document <> stored.document
          then format('its text is not that of version %s', stored.version)
        when revision.digest <> stored.digest
          then format('its digest is not that of version %s', stored.version)
        else format('version %s is %smarked as deleted', stored.version,
          case when revision.deleted_at is null then 'not ' else '' end)
      end
    ) as finding
    from ${getRows(kind)} as stored
    left join revision on revision.organization_id = stored.organization_id
      and revision.kind = '${kind}'
      and revision.external_id = stored.external_id
      and revision.version = stored.version
    where revision.document is distinct from stored.document
      or revision.digest is distinct from stored.digest
      or (revision.deleted_at is not null) <> ${isDeleted}`
}

const CURRENT = VERSIONED.map(
  ({ kind, rows }) => `
         select organization_id, '${kind}' as kind, external_id, version from ${rows} as stored`,
).join('\n         union all')

/** Checks that current documents and their versions agree. */
export const HISTORY_CHECKS: readonly Check[] = [
  sqlCheck(
    { name: 'every current document is the last version of its history', repair: RESTORE },
    ALL_KINDS.map(differsFromLastVersion).join(' union all '),
  ),
  sqlCheck(
    { name: 'every last version that is not deleted is a current document', repair: RESTORE },
    // Joins of whole tables cost the same for each row of any table; sorting all versions does not.
    `select organization_id,
       format('%s "%s": version %s is not current', ${KIND_WORDS}, external_id, version) as finding
     from revision as last
     where deleted_at is null
       and not exists (
         select from (${CURRENT}
         ) as stored
         where stored.organization_id = last.organization_id
           and stored.kind = last.kind
           and stored.external_id = last.external_id
           and stored.version = last.version
       )
       and not exists (
         select from revision as later
         where later.organization_id = last.organization_id
           and later.kind = last.kind
           and later.external_id = last.external_id
           and later.version = last.version + 1
       )`,
  ),
  sqlCheck(
    { name: 'versions have no gaps, and each begins after the one before', repair: RESTORE },
    `select organization_id, format(
       '%s "%s": %s', ${KIND_WORDS}, external_id,
       case
         when before is null then format('version %s is missing', version - 1)
         else format('version %s does not begin after version %s', version, version - 1)
       end
     ) as finding
     from (
       select revision.organization_id, revision.kind, revision.external_id, revision.version,
         revision.valid_from, before.valid_from as before
       from revision
       left join revision as before on before.organization_id = revision.organization_id
         and before.kind = revision.kind
         and before.external_id = revision.external_id
         and before.version = revision.version - 1
       where revision.version > 1
     ) as compared
     where before is null
       or valid_from <= before`,
  ),
]
