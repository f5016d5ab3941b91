// Recognizes the dialect of a SQL script that is stored without a server.

import type { Platform } from '../types/native-type.ts'

/** Enough of a script to recognize its dialect. */
const CHARS_MAX = 200_000

/** Fewer points do not decide. */
const POINTS_MIN = 2

// Dialects that only exist here: their scripts are read without a platform.
type Dialect = Platform | 'other'

/** Syntax of one dialect only (3 points), or mostly of one (1 or 2 points). */
const EVIDENCE: readonly (readonly [Dialect, points: number, pattern: RegExp])[] = [
  [
    'mysql',
    3,
    /\bAUTO_INCREMENT\b|\bENGINE ?= ?(?:InnoDB|MyISAM|Aria|Memory)\b|\bDEFAULT CHARSET\b/i,
  ],
  ['mysql', 3, /^-- (?:MySQL|MariaDB) dump|\bUNSIGNED\b|\bON UPDATE CURRENT_TIMESTAMP\b/im],
  ['mysql', 2, /\b(?:MEDIUMTEXT|LONGTEXT|TINYTEXT|MEDIUMINT|LONGBLOB)\b|\bCHANGE COLUMN\b/i],
  ['mysql', 2, /\b(?:ENUM|SET) ?\('|`/i],
  [
    'sqlserver',
    3,
    /^[ \t]*GO[ \t]*\r?$|\[dbo\]|\b(?:UNIQUEIDENTIFIER|DATETIME2|DATETIMEOFFSET|SP_RENAME)\b/im,
  ],
  ['sqlserver', 3, /\bN?VAR(?:CHAR|BINARY) ?\(max\)|\b(?:NON)?CLUSTERED\b|\]\.\[/i],
  ['sqlserver', 2, /\bIDENTITY ?\(|\bNVARCHAR ?\(|\bSMALLDATETIME\b|[ (\n]\[[a-z_][\w ]*\] /i],
  [
    'snowflake',
    3,
    /\bGET_DDL\b|\bTRANSIENT TABLE\b|\bTIMESTAMP_TZ\b|\bDATA_RETENTION_TIME_IN_DAYS\b/i,
  ],
  ['snowflake', 2, /\bVARIANT\b|\bNUMBER ?\(|\bTIMESTAMP_[NL]TZ\b|\bAUTOINCREMENT START\b/i],
  ['bigquery', 3, /\b(?:INT64|FLOAT64|BIGNUMERIC)\b|\bOPTIONS ?\((?:description|labels)\b/i],
  ['bigquery', 2, /\bSTRUCT<\s*\w+ \w|\bNOT ENFORCED\b|\bBYTES\b/i],
  ['databricks', 3, /\bUSING DELTA\b|\bdelta\.\w+'? ?=|\bCLUSTER BY AUTO\b/i],
  ['databricks', 2, /\bUSING (?:PARQUET|ICEBERG|JSON|CSV)\b|\bSTRUCT<\s*\w+ ?:|\bTBLPROPERTIES\b/i],
  ['hive', 3, /\bSTORED AS\b|\bROW FORMAT\b/i],
  [
    'postgresql',
    3,
    /^-- PostgreSQL database|\b(?:JSONB|BYTEA|TIMESTAMPTZ|TSVECTOR|CITEXT)\b|\$\$/im,
  ],
  [
    'postgresql',
    3,
    /\b(?:BIG|SMALL)?SERIAL\b|\bCREATE TYPE [\w."]+ AS (?:ENUM|\()|\bALTER TABLE ONLY\b/i,
  ],
  [
    'postgresql',
    2,
    /::\w|\bOWNER TO\b|\bNEXTVAL ?\(|\bWITHOUT TIME ZONE\b|\w\[\]|\bCREATE DOMAIN\b/i,
  ],
  [
    'other',
    4,
    /\bN?VARCHAR2\b|\bNUMBER ?\(\*|\bENGINE ?= ?\w*MergeTree\b|\bLowCardinality\b|\bHUGEINT\b/i,
  ],
  [
    'other',
    4,
    /\bFOR (?:BIT|SBCS|MIXED) DATA\b|\bDECFLOAT\b|\bORGANIZE BY (?:ROW|COLUMN)\b|\bCCSID\b|\b(?:VAR)?GRAPHIC ?\(|\bDBCLOB\b/i,
  ],
  ['other', 3, /\bPRIMARY KEY AUTOINCREMENT\b|\bWITHOUT ROWID\b/i],
]

// Names in quotes of one kind rule out the dialects with other quotes, before any word counts.
const QUOTES: readonly (readonly [pattern: RegExp, dialects: readonly Dialect[]])[] = [
  [
    /\b(?:TABLE|EXISTS|VIEW|REFERENCES|INTO)\s+(?:"[^"\n]*"\s*\.\s*)?"[^"\n]+"|^[\s(,]*"[^"\n]+"[ \t]+[a-z]\w*/im,
    ['postgresql', 'sqlserver', 'snowflake', 'other'],
  ],
  [
    /\b(?:TABLE|EXISTS|VIEW|REFERENCES|INTO)\s+`|^[\s(,]*`[^`\n]+`[ \t]+[a-z]\w*/im,
    ['mysql', 'bigquery', 'databricks', 'hive', 'other'],
  ],
  [/\b(?:TABLE|EXISTS|VIEW|REFERENCES|INTO)\s+\[\w/i, ['sqlserver', 'other']],
]

/** Recognizes the platform of a SQL script from its text; undefined when it is ambiguous. Takes linear time. */
export function detectPlatform(text: string): Platform | undefined {
  const start = text.slice(0, CHARS_MAX)
  const points = new Map<Dialect, number>()
  for (const [dialect, value, pattern] of EVIDENCE) {
    if (pattern.test(start)) points.set(dialect, (points.get(dialect) ?? 0) + value)
  }
  for (const [pattern, dialects] of QUOTES) {
    if (!pattern.test(start)) continue
    for (const dialect of points.keys()) if (!dialects.includes(dialect)) points.delete(dialect)
  }
  const [best, second] = [...points].toSorted((a, b) => b[1] - a[1])
  if (best === undefined || best[0] === 'other' || best[1] < POINTS_MIN) return undefined
  return second !== undefined && second[1] === best[1] ? undefined : best[0]
}
