/** The facts from which the text of a type is built. */
interface MssqlTypeFacts {
  /** The name of the type, or of the base of an alias type. */
  name: string
  /** In bytes; -1 = no limit. */
  maxLength: number
  precision: number
  scale: number
}

const BYTES_OF_CHARACTER: ReadonlyMap<string, number> = new Map([
  ['char', 1],
  ['varchar', 1],
  ['binary', 1],
  ['varbinary', 1],
  ['nchar', 2],
  ['nvarchar', 2],
])
const WITH_PRECISION: readonly string[] = ['decimal', 'numeric']
const WITH_SCALE: readonly string[] = ['time', 'datetime2', 'datetimeoffset']

// A vector has a header of 8 bytes, and 4 bytes for each dimension.
const VECTOR_HEADER_BYTES = 8
const VECTOR_DIMENSION_BYTES = 4

/** Returns the text of a type as in a CREATE TABLE statement: `nvarchar(40)`, `decimal(12,2)`. */
export function toTypeText({ name, maxLength, precision, scale }: MssqlTypeFacts): string {
  const bytes = BYTES_OF_CHARACTER.get(name)
  if (bytes !== undefined) return `${name}(${maxLength < 0 ? 'max' : maxLength / bytes})`
  if (WITH_PRECISION.includes(name)) return `${name}(${precision},${scale})`
  if (WITH_SCALE.includes(name)) return `${name}(${scale})`
  if (name === 'vector') {
    return `vector(${(maxLength - VECTOR_HEADER_BYTES) / VECTOR_DIMENSION_BYTES})`
  }
  // The standard uses the other name for points in time.
  return name === 'timestamp' ? 'rowversion' : name
}
