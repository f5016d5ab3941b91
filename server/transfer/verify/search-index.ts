import { ALL_KINDS, getRows } from '../../platform/kinds.ts'
import { KIND_WORDS, sqlCheck, type Check, type Rule } from './check.ts'

const REPAIR =
  'stop Portbook, run "delete from search_build" on its database, and start it: it builds the index again.'

/** The rule that index entries match their documents. */
export const ENTRY_RULE: Rule = {
  name: 'every entry of the search index matches its document',
  repair: REPAIR,
}

// After an upgrade, the next start builds the index.
const IS_BUILT = 'exists (select from search_build where kind is null)'

const DOCUMENTS = ALL_KINDS.map(
  ({ kind }) => `
       select organization_id, '${kind}' as kind, external_id
       from ${getRows(kind)} as current${kind === 'asset' ? ' where deleted_at is null' : ''}`,
).join('\n       union all')

/** Checks that the search index contains exactly the current documents. */
export const INDEX_CHECKS: readonly Check[] = [
  sqlCheck(
    { name: 'the search index has every document and nothing else', repair: REPAIR },
    `select organization_id, format(
       '%s "%s": it is %s', ${KIND_WORDS}, external_id,
       case when is_entry then 'in the index, but does not exist' else 'not in the index' end
     ) as finding
     from (select *, true as is_document from (${DOCUMENTS}
       ) as stored
     ) as document
     full join (
       select organization_id, kind, external_id, true as is_entry from search_document
     ) as entry using (organization_id, kind, external_id)
     where (is_document is null or is_entry is null)
       and ${IS_BUILT}`,
  ),
]
