/** What answers: servers that speak one protocol and differ in their information schema. */
export interface Flavour {
  /** As people call it: `MariaDB 10.11.6`. */
  title: string
  isMariadb: boolean
  /** Too old: its information schema lacks what is asked for. */
  isTooOld: boolean
  /** Its statements over all databases at once are cheap: they read a dictionary and open no table. */
  hasDictionary: boolean
  /** Its defaults are expressions; others tell the bare value of a literal. */
  quotesDefaults: boolean
  /** It says which tables a view reads. */
  hasViewUsage: boolean
  /** Databases have comments. */
  hasDatabaseComments: boolean
}

const MARIADB_MIN = [10, 2, 22] as const
const MYSQL_MIN = [5, 7, 8] as const

/** Tells a flavour by what `version()` says: `10.11.6-MariaDB-log`, `8.0.35`, `5.7.12-TiDB-v7`. */
export function flavourOf(version: string): Flavour {
  const number = versionNumber(version)
  const isMariadb = /mariadb/i.test(version)
  const isTidb = /tidb/i.test(version)
  const name = isMariadb ? 'MariaDB' : isTidb ? 'TiDB' : 'MySQL'
  return {
    title: `${name} ${number.join('.')}`,
    isMariadb,
    isTooOld: isBelow(number, isMariadb ? MARIADB_MIN : MYSQL_MIN),
    hasDictionary: !isMariadb && !isBelow(number, [8, 0, 0]),
    hasViewUsage: !isMariadb && !isTidb && !isBelow(number, [8, 0, 13]),
    quotesDefaults: isMariadb,
    hasDatabaseComments: isMariadb && !isBelow(number, [10, 5, 0]),
  }
}

type VersionNumber = readonly [number, number, number]

function versionNumber(version: string): VersionNumber {
  // Old MariaDB puts a version before its own, for replicas that expect one of MySQL.
  const digits =
    /(\d+)\.(\d+)\.(\d+)-mariadb/i.exec(version) ?? /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version)
  return [Number(digits?.[1] ?? 0), Number(digits?.[2] ?? 0), Number(digits?.[3] ?? 0)]
}

function isBelow(number: VersionNumber, other: VersionNumber): boolean {
  const at = number.findIndex((part, place) => part !== other[place])
  return at !== -1 && (number[at] ?? 0) < (other[at] ?? 0)
}
