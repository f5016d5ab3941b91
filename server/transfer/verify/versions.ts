import { AGREEMENT_KIND } from '../../agreements/agreement.ts'
import { ALL_KINDS, getRows, KINDS } from '../../platform/kinds.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import { readInBatches } from '../cursor.ts'
import { RESTORE, type Check, type Rule } from './check.ts'
import { deriveExpected } from './expected.ts'

const RULE: Rule = {
  name: 'every earlier version matches its digest',
  repair: RESTORE,
}

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

// Other checks compare the current versions with the current documents, and read those of agreements.
const CURRENT = ALL_KINDS.map(
  ({ kind }) => `
          select organization_id, '${kind}' as kind, external_id, version from ${getRows(kind)} as stored`,
).join('\n          union all')

/** Parses every earlier version again. */
export const VERSION_CHECK: Check = {
  rules: [RULE],
  async *findings(run) {
    const batches = readInBatches<VersionRow>(run, {
      name: 'versions',
      select: `coalesce(organization.name, revision.organization_id::text) as organization,
        revision.kind, revision.external_id as id, revision.version, revision.document,
        revision.media_type as "mediaType", revision.format, revision.digest`,
      from: `revision
        left join organization on organization.id = revision.organization_id
        where revision.kind <> '${AGREEMENT_KIND}'
          and not exists (
            select from (${CURRENT}
            ) as stored
            where stored.organization_id = revision.organization_id
              and stored.kind = revision.kind
              and stored.external_id = revision.external_id
              and stored.version = revision.version
          )`,
      bytes: 'octet_length(revision.document) * 2 + 500',
    })
    for await (const rows of batches) {
      for (const row of rows) {
        const { kind, id, version, organization } = row
        if (deriveExpected(row)?.digest === row.digest) continue
        yield {
          rule: RULE,
          text: `${KINDS[kind].called} "${id}": version ${version} (organization ${organization})`,
        }
      }
    }
  },
}
