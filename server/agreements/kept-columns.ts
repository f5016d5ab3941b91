import { sql, type RawBuilder } from 'kysely'

// Changes of data products and contracts set some columns of agreements without a new version of the agreement. A
// statement that replaces an agreement by one that was read before keeps them.

/** The members of an agreement that change with the owner of a data product. */
export const MOVED_WITH_PRODUCTS: ReadonlySet<string> = new Set(['providerTeam', 'consumerTeam'])

// An agreement that stays with its data products keeps its teams.
function keepTeam(side: 'provider' | 'consumer'): RawBuilder<unknown> {
  const [product, team] = [sql.ref(`${side}_product`), sql.ref(`${side}_team`)]
  return sql`${team} = case
          when agreement.${product} = given.${product} then agreement.${team}
          else given.${team}
        end`
}

// A new approval is one of the contract as it is now; every other change keeps the mark of a changed contract.
function keepUnlessApproved(name: string): RawBuilder<unknown> {
  const column = sql.ref(name)
  return sql`${column} = case
          when given.status = 'approved' and given.decided_at is distinct from agreement.decided_at
            then null
          else agreement.${column}
        end`
}

/** SQL fragment, assignments of `update access_agreement as agreement … from given`. */
export const keepFollowed: RawBuilder<unknown> = sql.join([
  keepTeam('provider'),
  keepTeam('consumer'),
  keepUnlessApproved('contract_changed_at'),
  keepUnlessApproved('contract_changed_level'),
])
