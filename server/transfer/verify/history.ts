import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { ALL_KINDS, getRows, KINDS } from '../../platform/kinds.ts'
import { readInBatches } from '../cursor.ts'
import { KIND_WORDS, RESTORE, readingCheck, sqlCheck, type Check } from './check.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import { deriveExpected } from './expected.ts'

type Current = (typeof ALL_KINDS)[number]

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

const AGREEMENTS = { kind: AGREEMENT_KIND, rows: 'access_agreement' }
const DOCUMENTS = ALL_KINDS.map(({ kind }) => ({ kind, rows: getRows(kind) }))

// The condition that a version is that of a current document of these kinds.
function isCurrent(version: string, kinds: readonly { kind: string; rows: string }[]): string {
  const current = kinds.map(
    ({ kind, rows }) => `
         select organization_id, '${kind}' as kind, external_id, version from ${rows} as stored`,
  )
  return `exists (
         select from (${current.join('\n         union all')}
         ) as stored
         where stored.organization_id = ${version}.organization_id
           and stored.kind = ${version}.kind
           and stored.external_id = ${version}.external_id
           and stored.version = ${version}.version
       )`
}

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
       and not ${isCurrent('last', [...DOCUMENTS, AGREEMENTS])}
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

/** An earlier version. */
interface VersionRow {
  organization: string
  kind: DocumentKind
  id: string
  version: number
  document: string
  mediaType: string
  format: string
  digest: string
}

/**
 * Parses every earlier version again. Other checks compare the current versions with the current documents, and read
 * those of agreements.
 */
export const VERSION_CHECK: Check = readingCheck(
  { name: 'every earlier version matches its digest', repair: RESTORE },
  (run) =>
    readInBatches<VersionRow>(run, {
      name: 'versions',
      select: `coalesce(organization.name, revision.organization_id::text) as organization,
      revision.kind, revision.external_id as id, revision.version, revision.document,
      revision.media_type as "mediaType", revision.format, revision.digest`,
      from: `revision
      left join organization on organization.id = revision.organization_id
      where revision.kind <> '${AGREEMENT_KIND}'
        and not ${isCurrent('revision', DOCUMENTS)}`,
      bytes: 'octet_length(revision.document) * 2 + 500',
    }),
  (row) => {
    const { kind, id, version, organization } = row
    if (deriveExpected(row)?.digest === row.digest) return undefined
    return `${KINDS[kind].called} "${id}": version ${version} (organization ${organization})`
  },
)
