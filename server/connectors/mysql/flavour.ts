/** The features of a server: servers with one protocol differ in their information schema. */
export interface MysqlFlavour {
  /** The display name: `MariaDB 10.11.6`. */
  title: string
  isMariadb: boolean
  /** Whether its information schema lacks required data. */
  isTooOld: boolean
  /** Whether statements over all databases are cheap: they read a dictionary and open no table. */
  hasDictionary: boolean
  /** Whether defaults are expressions; otherwise literals appear without quotes. */
  quotesDefaults: boolean
  /** Whether it lists the tables that a view reads. */
  hasViewUsage: boolean
  /** Whether databases have comments. */
  hasDatabaseComments: boolean
  /** Whether accounts can have roles. */
  hasRoles: boolean
  /** Whether databases can be taken out of a privilege on the whole server. */
  hasPartialRevokes: boolean
}

const MARIADB_MIN = [10, 2, 22] as const
const MYSQL_MIN = [5, 7, 8] as const

/** Parses the result of `version()`: `10.11.6-MariaDB-log`, `8.0.35`, `5.7.12-TiDB-v7`. */
export function readFlavour(version: string): MysqlFlavour {
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
    hasRoles: isMariadb || !isBelow(number, [8, 0, 0]),
    hasPartialRevokes: !isMariadb && !isTidb && !isBelow(number, [8, 0, 16]),
  }
}

type VersionNumber = readonly [number, number, number]

function versionNumber(version: string): VersionNumber {
  // Old MariaDB prefixes its version with another one, for replicas that expect a MySQL version.
  const digits =
    /(\d+)\.(\d+)\.(\d+)-mariadb/i.exec(version) ?? /^(\d+)\.(\d+)(?:\.(\d+))?/.exec(version)
  return [Number(digits?.[1] ?? 0), Number(digits?.[2] ?? 0), Number(digits?.[3] ?? 0)]
}

function isBelow(number: VersionNumber, other: VersionNumber): boolean {
  const at = number.findIndex((part, place) => part !== other[place])
  return at !== -1 && (number[at] ?? 0) < (other[at] ?? 0)
}
