// Advice for native types that are often used as logical types.

const TYPES: readonly (readonly [logicalType: string, words: string])[] = [
  ['string', 'varchar nvarchar char nchar character text clob varchar2 uuid json jsonb xml enum'],
  [
    'integer',
    'int int4 int8 int16 int32 int64 bigint smallint tinyint mediumint long short serial',
  ],
  ['number', 'decimal numeric float float4 float8 float32 float64 double real money bignumeric'],
  ['boolean', 'bool bit'],
  [
    'timestamp',
    'timestamp datetime datetime2 timestamptz timestamp_tz timestamp_ntz timestamp_ltz',
  ],
  ['object', 'struct record row variant'],
  ['array', 'list repeated'],
]

/** Returns the advice for each native type, given the logical types of a version. */
export function listTypeAdvice(logicalTypes: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    TYPES.flatMap(([logicalType, words]) => {
      // Before v3.1.0 an instant is a date.
      const known = logicalTypes.includes(logicalType) ? logicalType : 'date'
      return words.split(' ').map((word): [string, string] => {
        return [word, `write logicalType: ${known}, and set physicalType to ${word}`]
      })
    }),
  )
}
