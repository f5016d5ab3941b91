/** Levels of the changes between all pairs of some versions, and what must hold for them. */

import type { Level } from '../formats/diff/level.ts'

/** The level of the change from one version (row) to another (column). */
export type Levels = readonly (readonly Level[])[]

/**
 * Lists the changes that are breaking although they consist of two that are not, `a → b → c`. Rows are sets of bits, so
 * all triples of 300 versions take milliseconds.
 */
export function findDetours(levels: Levels, names: readonly string[]): string[] {
  const rows = levels.map((row) => toBits(row))
  return rows.flatMap((row, a) =>
    levels.flatMap((_, b) => {
      if (levels[a]?.[b] === 'breaking') return []
      return listMissing(row, rows[b] ?? row).map((c) => `${names[a]} → ${names[b]} → ${names[c]}`)
    }),
  )
}

/** Lists the changes of wording whose reversal is another level. */
export function findOneSided(levels: Levels, names: readonly string[]): string[] {
  return levels.flatMap((row, a) =>
    row.flatMap((level, b) =>
      level === 'wording' && levels[b]?.[a] !== 'wording' ? [`${names[a]} → ${names[b]}`] : [],
    ),
  )
}

function toBits(row: readonly Level[]): Uint32Array {
  const bits = new Uint32Array(Math.ceil(row.length / 32))
  for (const [at, level] of row.entries()) {
    if (level !== 'breaking') bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31))
  }
  return bits
}

/** Lists the bits of a set that another one does not have. */
function listMissing(whole: Uint32Array, part: Uint32Array): number[] {
  const missing: number[] = []
  for (const [at, bits] of part.entries()) {
    const lost = bits & ~(whole[at] ?? 0)
    if (lost === 0) continue
    for (let bit = 0; bit < 32; bit += 1) {
      if ((lost & (1 << bit)) !== 0) missing.push(at * 32 + bit)
    }
  }
  return missing
}
