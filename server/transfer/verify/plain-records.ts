import { hash } from 'node:crypto'
import { PLAIN_RECORDS } from '../../../formats/record/plain-kinds.ts'
import { readPlainFields } from '../../../formats/record/read-plain.ts'
import { canonicalText } from '../../../formats/shape/canonical.ts'
import { any } from '../../../formats/shape/shape.ts'
import { readAcceptedText } from '../../../formats/text/text.ts'
import { readInBatches } from '../cursor.ts'
import { readingCheck, RESTORE, type Check } from './check.ts'

/** A stored plain record with the columns that follow from its text. */
interface PlainRecordRow {
  kind: string
  id: string
  organization: string
  document: string
  digest: string
  productId: string | null
  filterValues: Record<string, string>
}

/** Parses every plain record again and compares it with its columns. */
export const PLAIN_RECORD_CHECK: Check = readingCheck(
  {
    name: 'the columns of records without versions are those of their documents',
    repair: `${RESTORE} Or PUT the record with a change, which rewrites its columns.`,
  },
  (run) =>
    readInBatches<PlainRecordRow>(run, {
      name: 'plain_records',
      select: `stored.kind, stored.external_id as id, organization.name as organization, document, digest,
      product_id as "productId", filter_values as "filterValues"`,
      from: `plain_record as stored join organization on organization.id = stored.organization_id`,
      order: 'stored.organization_id, stored.kind, stored.scope, stored.external_id',
      bytes: 'octet_length(document) + 500',
    }),
  (row) => {
    const problem = findProblem(row)
    return problem && `${row.kind} "${row.id}" (organization ${row.organization}): ${problem}`
  },
)

function findProblem(row: PlainRecordRow): string | undefined {
  const kind = PLAIN_RECORDS.find((one) => one.kind === row.kind)
  if (kind === undefined) return 'its kind is unknown'
  const source = readAcceptedText(row.document, 'application/json')
  if (!source.ok) return 'its text cannot be parsed'
  // The digest of a kind with a secret is that of its sealed text, which only the encryption key opens.
  const isWhole = kind.secretAddress === undefined
  if (isWhole && row.digest !== hash('sha256', row.document)) {
    return 'its digest is not that of its text'
  }
  const { productId, filterValues } = readPlainFields(kind, source.value)
  if (productId !== row.productId) return 'it belongs to another data product than its text names'
  const isSame = canonicalText(filterValues, any) === canonicalText(row.filterValues, any)
  return isSame ? undefined : 'the texts by which lists are filtered are not those of its text'
}
