/** Tables that are split by date: one table per day, whose names end in the date. */

/** The parts of the name of a shard. */
interface Shard {
  /** The name of all shards, as statements write it: `events_*`. */
  group: string
  /** `20260131`. */
  date: string
}

/** The shards of one table. */
export interface ShardGroup {
  name: string
  /** The date of the newest shard: `20260131`. */
  last: string
  /** Whether there is only one, which is shown as an ordinary table. */
  isSingle: boolean
}

/** The name of the asset of a table, and of the table with its columns. */
interface ShardedTable {
  name: string
  tableId: string
  kind: 'table'
  shards: ShardGroup
}

const SHARD = /^(.*\D)((?:19|20)\d{6})$/s

/** Parses the name of a table that ends in a date; undefined for other names. */
export function parseShard(name: string): Shard | undefined {
  const [, prefix, date] = SHARD.exec(name) ?? []
  if (prefix === undefined || date === undefined || /^_+$/.test(prefix)) return undefined
  return isDate(date) ? { group: `${prefix}*`, date } : undefined
}

/** Groups the shards of each table. */
export class ShardGroups {
  readonly #groups = new Map<string, ShardGroup>()

  /** Adds a shard and returns whether it is the newest one of its group so far. */
  add({ group, date }: Shard): boolean {
    const found = this.#groups.get(group)
    if (found === undefined) {
      this.#groups.set(group, { name: group, last: date, isSingle: true })
      return true
    }
    found.isSingle = false
    if (date <= found.last) return false
    found.last = date
    return true
  }

  /** Lists a table for each group with several shards, and for each table that is the only one of its group. */
  list(): ShardedTable[] {
    return this.#groups
      .values()
      .map((shards): ShardedTable => {
        const tableId = `${shards.name.slice(0, -1)}${shards.last}`
        return { name: shards.isSingle ? tableId : shards.name, tableId, kind: 'table', shards }
      })
      .toArray()
  }
}

function isDate(text: string): boolean {
  const [year, month, day] = [text.slice(0, 4), text.slice(4, 6), text.slice(6)]
  const iso = `${year}-${month}-${day}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso)
}
