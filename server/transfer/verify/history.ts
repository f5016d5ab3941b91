import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { ALL_KINDS, getRows } from '../../kinds.ts'
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
    `select organization_id,
       format('%s "%s": version %s is not current', ${KIND_WORDS}, external_id, version) as finding
     from (
       select distinct on (organization_id, kind, external_id)
         organization_id, kind, external_id, version, deleted_at
       from revision
       order by organization_id, kind, external_id, version desc
     ) as last
     where deleted_at is null
       and not exists (
         select from (${CURRENT}
         ) as stored
         where stored.organization_id = last.organization_id
           and stored.kind = last.kind
           and stored.external_id = last.external_id
           and stored.version = last.version
       )`,
  ),
  sqlCheck(
    { name: 'versions have no gaps, and each begins after the one before', repair: RESTORE },
    `select organization_id, format(
       '%s "%s": %s', ${KIND_WORDS}, external_id,
       case
         when version <> expected then format('version %s is missing', expected)
         else format('version %s does not begin after version %s', version, version - 1)
       end
     ) as finding
     from (
       select organization_id, kind, external_id, version, valid_from,
         row_number() over document as expected,
         lag(valid_from) over document as before
       from revision
       window document as (partition by organization_id, kind, external_id order by version)
     ) as numbered
     where version <> expected
       or valid_from <= before`,
  ),
]
