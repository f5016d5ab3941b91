import { sql, type RawBuilder } from 'kysely'

/** The SQL expression for the teams on both sides of an agreement, of a row with its columns. */
export function listSides(row: string): RawBuilder<unknown> {
  const [provider, consumer] = [sql.ref(`${row}.provider_team`), sql.ref(`${row}.consumer_team`)]
  return sql`array_remove(array[${provider}, ${consumer}], null)`
}

/**
 * SQL fragment, `update access_agreement …`, for the statement that writes a data product: its agreements, and those of
 * which it is the consumer, belong to the team that owns it from then on. It reads the result named `written`.
 */
export function moveAgreements(
  organizationId: string,
  productId: string,
  owner: string,
): RawBuilder<unknown> {
  return sql`
    update access_agreement as agreement
    set provider_team = case
        when agreement.provider_product = ${productId} then ${owner} else agreement.provider_team
      end,
      consumer_team = case
        when agreement.consumer_product = ${productId} then ${owner} else agreement.consumer_team
      end
    from written
    where agreement.organization_id = ${organizationId}
      and (
        agreement.provider_product = ${productId} and agreement.provider_team <> ${owner}
        or agreement.consumer_product = ${productId}
          and agreement.consumer_team is distinct from ${owner}
      )`
}
