import { sql, type RawBuilder } from 'kysely'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns whether a text is a UUID, in any letter case. PostgreSQL rejects statements with an invalid one. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * SQL expression for a new UUID of version 7 (RFC 9562), for rows that the database creates: 48 bits of milliseconds,
 * the version, and random bits.
 */
export const NEW_ID = sql`encode(
  set_bit(
    set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6
      ),
      52, 1
    ),
    53, 1
  ),
  'hex'
)::uuid`

/**
 * SQL expression for the UUIDs of version 7 of the rows of one statement, in their order: the random bits after the
 * version are a counter (RFC 9562, section 6.2). `instant` must be one for all rows; `ordinal` counts them from 1.
 */
export function newOrderedId(
  instant: RawBuilder<unknown>,
  ordinal: RawBuilder<unknown>,
): RawBuilder<string> {
  return sql<string>`encode(
  overlay(
    overlay(
      uuid_send(gen_random_uuid())
      placing substring(
        int8send(floor(extract(epoch from ${instant}) * 1000)::bigint + ${ordinal} / 4096) from 3
      )
      from 1 for 6
    )
    placing substring(int4send((x'7000'::integer + ${ordinal} % 4096)::integer) from 3)
    from 7 for 2
  ),
  'hex'
)::uuid`
}
