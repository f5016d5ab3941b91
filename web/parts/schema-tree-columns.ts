import { fieldsBelow, type SchemaField, type SchemaModel } from './schema-tree-rows.ts'

/** Which columns of a schema's table have anything to show, and how wide the names are. */
export interface SchemaColumns {
  hasConstraints: boolean
  hasDescriptions: boolean
  /** The width that the longest name takes with its indentation, in rem. */
  nameRem: number
}

// A monospaced character at the size of code, one level of indentation, and the sign before a name.
const CHARACTER_REM = 0.49
const LEVEL_REM = 1.125
const SIGN_REM = 2.25
const NAME_REM_MIN = 10
const NAME_REM_MAX = 30

/**
 * Returns the columns that the table of some models needs. `hasMarks` reports labels that only the page has.
 */
export function getSchemaColumns(
  models: readonly SchemaModel[],
  hasMarks: (origin: string) => boolean = () => false,
): SchemaColumns {
  const columns: SchemaColumns = {
    hasConstraints: models.some(({ tags, deprecated }) => tags.length > 0 || deprecated === true),
    hasDescriptions: models.some(({ description }) => description !== undefined),
    nameRem: NAME_REM_MIN,
  }
  const widen = (name: string, level: number): void => {
    const rem = SIGN_REM + level * LEVEL_REM + name.length * CHARACTER_REM
    columns.nameRem = Math.min(NAME_REM_MAX, Math.max(columns.nameRem, rem))
  }
  const visit = (field: SchemaField, level: number): void => {
    widen(field.name, level)
    columns.hasConstraints ||= isConstrained(field) || hasMarks(field.origin)
    columns.hasDescriptions ||= field.description !== undefined
    for (const below of fieldsBelow(field)) visit(below, level + 1)
  }
  const isAlone = models.length === 1
  for (const model of models) {
    if (!isAlone) widen(model.name, 0)
    for (const field of model.fields) visit(field, 1)
  }
  return columns
}

function isConstrained(field: SchemaField): boolean {
  const { required, unique, primaryKeyPosition, classification, tags, quality, deprecated } = field
  return (
    deprecated === true ||
    required ||
    unique ||
    primaryKeyPosition !== undefined ||
    classification !== undefined ||
    field.enum !== undefined ||
    tags.length > 0 ||
    quality.length > 0
  )
}

/** Returns the columns as a CSS grid; names get their width first. */
export function toColumnTemplate({
  hasConstraints,
  hasDescriptions,
  nameRem,
}: SchemaColumns): string {
  return [
    `minmax(10rem, ${nameRem.toFixed(2)}rem)`,
    'minmax(7.5rem, 3fr)',
    ...(hasConstraints ? ['minmax(8rem, 3fr)'] : []),
    ...(hasDescriptions ? ['minmax(9rem, 6fr)'] : []),
  ].join(' ')
}
