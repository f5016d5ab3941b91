import { sqlChecks, type Check } from './check.ts'

const REPAIR =
  'the activity was changed outside of Portbook. Restore a backup from before that, or find out who had access to the database; the hashes in the log and in GET /api/activity/seal show which seals are the original ones.'

// An entry belongs to the first seal whose last entry is not before it; none = it is not sealed yet. From the newest
// entry on, that is the lowest number so far, so that one pass is enough. The inner query hashes the entries before they
// are sorted: a sort of hashes moves a fraction of the bytes.
const PLACED = `
  placed as materialized (
    select organization_id, epoch, transaction_id, position, at, entry_hash,
      min(seal_number) over (
        partition by organization_id
        order by epoch desc, transaction_id desc, position desc
        rows between unbounded preceding and current row
      ) as number
    from (
      select entry.organization_id, entry.epoch, entry.transaction_id, entry.position, entry.at,
        seal.number as seal_number, hash_activity_entry(entry) as entry_hash
      from activity_entry as entry
      left join activity_seal as seal on seal.organization_id = entry.organization_id
        and seal.last_id = entry.id
      offset 0
    ) as hashed
  ),
  batch as materialized (
    select organization_id, number, count(*)::integer as entry_count,
      string_agg(entry_hash, ''::bytea order by epoch, transaction_id, position) as entry_hashes,
      string_agg(
        substr(entry_hash, 1, 8), ''::bytea order by epoch, transaction_id, position
      ) as fingerprints
    from placed
    where number is not null
    group by organization_id, number
  )`

const CHANGED = `
  changed as materialized (
    select seal.organization_id, seal.number, seal.entry_count, seal.fingerprints, seal.sealed_at
    from activity_seal as seal
    left join batch on batch.organization_id = seal.organization_id
      and batch.number = seal.number
    where batch.fingerprints is distinct from seal.fingerprints
  ),
  sealed_entry as materialized (
    select organization_id, number, substr(fingerprints, (place - 1) * 8 + 1, 8) as fingerprint
    from changed
    cross join lateral generate_series(1, length(fingerprints) / 8) as place
  )`

const OF_SEAL = `format('seal %s of %s: ', changed.number, to_char(changed.sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`

// Entries that differ from those that were sealed, in both directions.
const SELECT_CHANGED = `
     select 0 as rule, changed.organization_id, ${OF_SEAL} || format(
       'the entry %s (%s %s "%s" at %s) was changed or inserted', entry.id, entry.action,
       entry.kind, left(entry.subject, 100),
       to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
     ) as finding
     from changed
     join placed on placed.organization_id = changed.organization_id
       and placed.number = changed.number
     join activity_entry as entry on entry.organization_id = placed.organization_id
       and entry.epoch = placed.epoch
       and entry.transaction_id = placed.transaction_id
       and entry.position = placed.position
     where not exists (
       select from sealed_entry
       where sealed_entry.organization_id = changed.organization_id
         and sealed_entry.fingerprint = substr(placed.entry_hash, 1, 8)
     )
     union all
     select 0, changed.organization_id, ${OF_SEAL} || format(
       '%s of its %s entries were changed or deleted', count(*), changed.entry_count
     )
     from changed
     join sealed_entry on sealed_entry.organization_id = changed.organization_id
       and sealed_entry.number = changed.number
     where not exists (
       select from placed
       where placed.organization_id = changed.organization_id
         and substr(placed.entry_hash, 1, 8) = sealed_entry.fingerprint
     )
     group by changed.organization_id, changed.number, changed.sealed_at, changed.entry_count`

const SELECT_UNCHAINED = `
     select 1, linked.organization_id, format(
       'seal %s: %s', linked.number,
       case
         when linked.number <> coalesce(linked.former_number, 0) + 1
           then format('seal %s is missing', linked.number - 1)
         when batch.fingerprints is distinct from linked.fingerprints
           then 'its entries are not those that were sealed, or are in another order'
         else 'its hash does not follow from its entries and the seal before it'
       end
     )
     from (
       select activity_seal.*, lag(hash) over chain as former_hash,
         lag(number) over chain as former_number
       from activity_seal
       window chain as (partition by organization_id order by number)
     ) as linked
     left join batch on batch.organization_id = linked.organization_id
       and batch.number = linked.number
     where linked.number <> coalesce(linked.former_number, 0) + 1
       or batch.fingerprints is distinct from linked.fingerprints
       or linked.hash <> hash_activity_seal(
         linked.former_hash, linked.organization_id, linked.number, linked.first_id,
         linked.last_id, linked.entry_count, linked.sealed_at, batch.entry_hashes
       )`

// Processes seal once a minute. An entry that is an hour older than the newest seal of any organization, and that has
// none, lost it.
const SELECT_UNSEALED = `
     select 2, placed.organization_id, format(
       '%s entries from %s on have no seal', count(*),
       to_char(min(placed.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
     )
     from placed
     where placed.number is null
       and placed.at < (select max(sealed_at) - interval '1 hour' from activity_seal)
     group by placed.organization_id`

/**
 * Checks that the entries of the activity are those that were sealed, and that no seal is missing. One statement answers
 * all rules, because hashing the entries is most of the work.
 */
export const ACTIVITY_CHECK: Check = sqlChecks(
  [
    { name: 'no sealed entry of the activity was changed, deleted or inserted', repair: REPAIR },
    { name: 'the seals of the activity are a chain', repair: REPAIR },
    { name: 'no seal is missing at the end of the activity', repair: REPAIR },
  ],
  `with ${PLACED}, ${CHANGED} ${[SELECT_CHANGED, SELECT_UNCHAINED, SELECT_UNSEALED].join('\n     union all')}`,
)
