// Writing of enumerations in Protobuf.

import type { Value } from '../../text/value.ts'
import { isIdentifier } from '../identifier.ts'

/**
 * Returns the values of a field as names of an enumeration; undefined unless all of them are names that Protobuf
 * accepts together in an enumeration of this name.
 */
export function toSymbols(
  values: readonly Value[] | undefined,
  enumName: string,
): string[] | undefined {
  const symbols = (values ?? []).filter((value) => typeof value === 'string')
  if (symbols.length === 0 || symbols.length !== values?.length) return undefined
  const generated = new Set(symbols.map((symbol) => toGeneratedName(symbol, enumName)))
  return symbols.every(isIdentifier) && generated.size === symbols.length ? symbols : undefined
}

// The compiler compares values as generated code names them: without the name of the enumeration, in Pascal case.
function toGeneratedName(symbol: string, enumName: string): string {
  const prefix = enumName.replaceAll('_', '').toLowerCase()
  let [at, matched] = [0, 0]
  while (at < symbol.length && matched < prefix.length) {
    const char = symbol.charAt(at)
    if (char !== '_' && char.toLowerCase() !== prefix.charAt(matched)) break
    if (char !== '_') matched += 1
    at += 1
  }
  while (symbol.charAt(at) === '_') at += 1
  const rest = matched === prefix.length && at < symbol.length ? symbol.slice(at) : symbol
  return rest
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`)
    .join('')
}

/**
 * Returns whether an enumeration needs a value 0 beside its symbols, and the removed value with that number if it can
 * stay; undefined when a symbol has the number.
 */
export function findZeroName(
  symbols: readonly string[],
  numbers: ReadonlyMap<string, number>,
  enumName: string,
): { removed?: string } | undefined {
  if (symbols.some((symbol) => numbers.get(symbol) === 0)) return undefined
  const [removed] = [...numbers].find(([name, number]) => number === 0 && isIdentifier(name)) ?? []
  const isPossible = removed !== undefined && toSymbols([...symbols, removed], enumName)
  return isPossible ? { removed } : {}
}

/**
 * Writes the lines of an enumeration. The first value must be 0. The numbers and names of removed values stay reserved.
 */
export function writeEnumLines(
  symbols: readonly string[],
  numbers: ReadonlyMap<string, number>,
  zeroName: string | undefined,
): string[] {
  const used = symbols.map((symbol, at) => ({ symbol, number: numbers.get(symbol) ?? at }))
  const usedNumbers = new Set(used.map(({ number }) => number))
  const removed = [...numbers].filter(([name]) => !symbols.includes(name) && name !== zeroName)
  const option = zeroName !== undefined && numbers.has(zeroName) ? ' [deprecated = true]' : ''
  const ordered = [
    ...used.filter(({ number }) => number === 0),
    ...used.filter(({ number }) => number !== 0),
  ]
  return [
    ...(usedNumbers.size < used.length ? ['option allow_alias = true;'] : []),
    ...reservedLines(
      removed.filter(([, number]) => number !== 0 && !usedNumbers.has(number)),
      new Set(),
    ),
    ...(zeroName === undefined ? [] : [`${zeroName} = 0${option};`]),
    ...ordered.map(({ symbol, number }) => `${symbol} = ${number};`),
  ]
}

/** Writes the statements that reserve the numbers of removed fields or values, and their names unless these are used. */
export function reservedLines(
  removed: readonly (readonly [string, number])[],
  usedNames: ReadonlySet<string>,
): string[] {
  if (removed.length === 0) return []
  const numbers = [...new Set(removed.map(([, number]) => number))].toSorted((a, b) => a - b)
  const names = removed
    .map(([name]) => name)
    .filter((name) => isIdentifier(name) && !usedNames.has(name))
  const quoted = names.map((name) => JSON.stringify(name)).join(', ')
  return [`reserved ${numbers.join(', ')};`, ...(names.length === 0 ? [] : [`reserved ${quoted};`])]
}
