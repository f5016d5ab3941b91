/**
 * The types of which the order is checked: the words of all platforms with typical parameters, invented ones, nested ones,
 * all logical types, and no type at all. Each is a field as the reader of a document on a platform builds it.
 */

import { NativeTypes } from '../formats/data-contract/native-types.ts'
import { FieldBudget, WRITTEN_FIELDS } from '../formats/schema/field-budget.ts'
import { type Field, LOGICAL_TYPES, type LogicalType } from '../formats/schema/model.ts'
import { plainField } from '../formats/schema/plain.ts'
import { TABLE as ICEBERG } from '../formats/schema/types/iceberg.ts'
import { PLATFORMS, type Platform } from '../formats/schema/types/native-type.ts'
import { SQL_TABLES } from '../formats/schema/types/tables.ts'

/** One type of the lattice: a word of a platform, a logical type, both, or neither. */
export interface LatticeType {
  physicalType?: string
  logicalType?: LogicalType
}

/** All platforms, and none. */
export const LATTICE_PLATFORMS: readonly (Platform | undefined)[] = [...PLATFORMS, undefined]

const OTHER_NAMES = listWords(`
  double; float4; int8; serial; string; long; int32; bytes; timestamp-millis;
  uint32; timestamp-micros; integer; number; hugeint; ubigint; raw(7);
`)

const INVENTED = listWords(`
  frob; frob(1); frob2; geohash; quadkey; money8; varchars; int 32; ipv4;
  array<frob>; frob[]; map<varchar(7),frob>; struct<a:frob>; struct<a:int,b:frob>;
  decimal(; sql_variant; complex; emoji(3); json5; any;
`)

const NESTED = listWords(`
  int[]; int[][]; bigint[]; array<int>; array<bigint>; ARRAY<STRING>; ARRAY(INT);
  map<string,int>; map<string,bigint>; MAP(VARCHAR, NUMBER); STRUCT<a INT64>;
  struct<a:int>; struct<a:bigint>; struct<a:int,b:date>; struct<a:int NOT NULL>;
  struct<a:array<int>>; RANGE<DATE>; RANGE<DATETIME>; OBJECT(a INT);
`)

const WITH_DETAILS = listWords(`
  enum('a'); enum('a','b'); set('a'); set('a','b'); interval year to month;
  interval day to second; geometry(point,4326); geometry(polygon,4326); vector(3);
  vector(4); vector(float, 3); float(7,2); float(20); float(53); decimal(9,0);
  numeric(38,9); numeric(2000,2); numeric(3000,2); nvarchar(7); varchar(max);
  timestamp(0); timestamp(6); timestamp(3) with time zone; time(0); datetime(6);
  bit(3); bit varying(3); char(1); varchar(255); varbinary(255); nchar(7);
`)

/** All words, each once in any case. */
export const LATTICE_WORDS: readonly string[] = listDistinct([
  ...[...SQL_TABLES, ICEBERG].flatMap(({ rows }) =>
    rows.flatMap(({ name, length, digits, seconds }) => [
      name,
      ...(length === undefined ? [] : [`${name}(7)`]),
      ...(digits === undefined || digits.fixed ? [] : [`${name}(9,2)`]),
      ...(seconds === undefined || name.includes(' ') ? [] : [`${name}(3)`]),
    ]),
  ),
  ...OTHER_NAMES,
  ...WITH_DETAILS,
  ...NESTED,
  ...INVENTED,
])

/** The types of the lattice; no two have the same word. */
export const LATTICE: readonly LatticeType[] = [
  {},
  ...LOGICAL_TYPES.filter((type) => type !== 'unknown').map((logicalType) => ({ logicalType })),
  ...LATTICE_WORDS.map((physicalType) => ({ physicalType })),
  { logicalType: 'string', physicalType: 'frob' },
  { logicalType: 'string', physicalType: 'varchar(7)' },
  { logicalType: 'string', physicalType: 'int' },
  { logicalType: 'integer', physicalType: 'decimal(9,2)' },
  { logicalType: 'number', physicalType: 'int' },
  { logicalType: 'number', physicalType: 'double' },
  { logicalType: 'date', physicalType: 'varchar(7)' },
  { logicalType: 'object', physicalType: 'object' },
  { logicalType: 'array', physicalType: 'frob' },
]

/** Returns how a type is named in messages. */
export function describeType({ physicalType = '', logicalType }: LatticeType): string {
  return logicalType === undefined ? physicalType || 'no type' : `[${logicalType}] ${physicalType}`
}

/** Builds the fields of the lattice on a platform, as a reader of documents does. */
export function buildFields(platform: Platform | undefined): Field[] {
  const types = new NativeTypes(platform, new FieldBudget(WRITTEN_FIELDS), () => {})
  return LATTICE.map(({ physicalType, logicalType }) => {
    const field = plainField('a', 'unknown', '/a')
    if (physicalType !== undefined) field.physicalType = physicalType
    types.apply(field, logicalType)
    return field
  })
}

function listWords(text: string): string[] {
  return text
    .split(';')
    .map((word) => word.trim())
    .filter(Boolean)
}

function listDistinct(words: readonly string[]): string[] {
  return [...new Map(words.map((word) => [word.toLowerCase(), word])).values()]
}
