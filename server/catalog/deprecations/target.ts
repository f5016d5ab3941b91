import { listDefinitionUses } from '../../../formats/data-contract/definition-uses.ts'
import { listReplacements } from '../../../formats/data-product/replacement.ts'
import type { Position } from '../../../formats/text/problem.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import { formatPath, type Path } from '../../../formats/text/value.ts'

// The places at which a document names others, with their positions: for warnings about those that do not exist.

/** A place at which a document names what replaces it or a part of it. */
export interface ReplacementPlace extends Position {
  value: string
  isOfPort: boolean
  /** Dotted. */
  field: string
}

/** A place at which a contract names a definition. */
export interface DefinitionPlace extends Position {
  definitionId: string
  address: string
  /** Dotted. */
  field: string
}

/** The maximum number of definitions of one contract whose existence is checked. */
const DEFINITIONS_MAX = 500

/** Finds the values of `replacedBy` in a document. */
export function listReplacementPlaces(source: SourceText): ReplacementPlace[] {
  return listReplacements(source.value).map(({ path, ...use }) => ({
    ...use,
    ...locate(source, path),
  }))
}

/** Finds where a contract names definitions, the first place of each. */
export function listDefinitionPlaces(source: SourceText): DefinitionPlace[] {
  const uses = new Map(
    listDefinitionUses(source.value)
      .toReversed()
      .map((use) => [use.definitionId, use]),
  )
  return [...uses.values()]
    .toReversed()
    .slice(0, DEFINITIONS_MAX)
    .map(({ definitionId, address, path }) => ({ definitionId, address, ...locate(source, path) }))
}

function locate(source: SourceText, path: Path): Position & { field: string } {
  return { field: formatPath(path), ...source.locate(path) }
}
