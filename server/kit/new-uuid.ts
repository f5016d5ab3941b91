import { sql } from 'kysely'

/**
 * SQL fragment: a UUID of version 7 (RFC 9562) for rows that the database creates, of 48 bits of milliseconds, the
 * version, and random bits.
 */
export const NEW_UUID = sql`encode(
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
