// Matches the types of two versions of a union. A type that is not a union is compared as a union of one type.

import { AVRO, AVRO_TYPE_TRAITS, getBranchName, readTypeName } from '../schema/avro/traits.ts'
import type { Field, Traits } from '../schema/model.ts'
import { compareFieldTypes, type Platforms } from './field-type.ts'

interface BranchMatches {
  pairs: { before: Field; after: Field }[]
  removed: Field[]
  added: Field[]
}

// A union has no two equal unnamed types of Avro, so there are few of them.
const UNNAMED_MAX = 20

/** Returns whether two fields are compared by the types of a union. */
export function haveBranches(before: Field, after: Field): boolean {
  const isUnion = before.branches !== undefined || after.branches !== undefined
  return isUnion && isTyped(before) && isTyped(after)
}

function isTyped({ physicalType, branches }: Field): boolean {
  return physicalType !== undefined || branches !== undefined
}

/**
 * Matches the types of two unions: by name, by an alias of the older type, or by a type that contains all values of
 * the other.
 */
export function matchBranches(before: Field, after: Field, platforms: Platforms): BranchMatches {
  const older = getBranches(before)
  const known = new Map(older.map((branch) => [branch.name, branch]))
  const aliases = new Map(
    older.flatMap((branch) =>
      (readTypeName(branch.traits?.[AVRO.type])?.aliases ?? []).map((alias) => [alias, branch]),
    ),
  )
  const unnamed = older.filter(isUnnamed).slice(0, UNNAMED_MAX)
  const matches: BranchMatches = { pairs: [], removed: [], added: [] }
  const matched = new Set<Field>()
  for (const branch of getBranches(after)) {
    const partner =
      known.get(branch.name) ??
      aliases.get(branch.name) ??
      (isUnnamed(branch) ? unnamed.find((one) => holds(one, branch, platforms)) : undefined)
    if (partner === undefined) matches.added.push(branch)
    else {
      matched.add(partner)
      matches.pairs.push({ before: partner, after: branch })
    }
  }
  matches.removed = older.filter((branch) => !matched.has(branch))
  return matches
}

/** Returns a field without the properties of its type. */
export function withoutType(field: Field): Field {
  const traits = pickTraits(field, (name) => !AVRO_TYPE_TRAITS.has(name))
  return { ...field, traits }
}

function getBranches(field: Field): Field[] {
  return field.branches ?? [toBranch(field)]
}

function toBranch(field: Field): Field {
  const { description: _, ...rest } = field
  const traits = pickTraits(field, (name) => AVRO_TYPE_TRAITS.has(name))
  const name = getBranchName(field)
  return { ...rest, name, traits, required: true, tags: [], quality: [] }
}

function pickTraits({ traits = {} }: Field, isPicked: (name: string) => boolean): Traits {
  return Object.fromEntries(Object.entries(traits).filter(([name]) => isPicked(name)))
}

function isUnnamed({ traits = {}, logicalType }: Field): boolean {
  return traits[AVRO.type] === undefined && !['array', 'map', 'unknown'].includes(logicalType)
}

function holds(outer: Field, inner: Field, platforms: Platforms): boolean {
  return compareFieldTypes(outer, inner, platforms)?.verdict === 'narrower'
}
