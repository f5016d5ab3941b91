// Levels of changes of ODCS and DCS documents, compared with the verdicts of `datacontract breaking`, and the list of
// disagreements in docs/levels.md.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { z } from 'zod'
import { type ObjectValue, type Value } from '../text/value.ts'
import { highestLevel } from './level.ts'
import { diffContracts, mergeFragment } from '../../test/contract-versions.ts'

const level = z.enum(['breaking', 'additive', 'wording', 'none'])
const verdict = z.enum(['error', 'warning', 'info', 'rejected'])
const value: z.ZodType<Value> = z.json()
const fragment: z.ZodType<ObjectValue> = z.record(z.string(), value)
const tableSchema = z.strictObject({
  peer: z.string(),
  /** The contract that the fragments of the rows are merged into. */
  base: fragment,
  rows: z.array(
    z.strictObject({
      change: z.string(),
      before: fragment,
      after: fragment,
      level,
      /** The level of the opposite change. */
      back: level,
      /** The highest level that `datacontract breaking` reports for the change and for the opposite one. */
      peer: z.strictObject({ change: verdict, back: verdict }),
      /** The reason why Portbook disagrees with the tool. */
      reason: z.string().optional(),
    }),
  ),
})

type Row = z.infer<typeof tableSchema>['rows'][number]

function readTable(name: string) {
  return tableSchema.parse(
    JSON.parse(readFileSync(new URL(`peers/${name}.json`, import.meta.url), 'utf8')),
  )
}

function countDisagreements({ level, back, peer }: Row): number {
  const pairs = [
    [level, peer.change],
    [back, peer.back],
  ]
  return pairs.filter(([own, other]) => (own === 'breaking') !== (other === 'error')).length
}

function toTableLine({ change, level, back, peer, reason }: Row): string {
  return `| ${change} | ${level} / ${back} | ${peer.change} / ${peer.back} | ${reason} |`
}

const DOCUMENT = readFileSync(new URL('../../docs/levels.md', import.meta.url), 'utf8')
const SECTION = /^## ODCS and DCS\n(.*?)(?=^## |$(?![^]))/ms.exec(DOCUMENT)?.[1] ?? ''

for (const name of ['odcs', 'dcs']) {
  const { peer, base, rows } = readTable(name)

  for (const row of rows) {
    test(`${name} › ${row.change}`, () => {
      const older = mergeFragment(base, row.before)
      const newer = mergeFragment(base, row.after)
      const [there, back] = [diffContracts(older, newer), diffContracts(newer, older)]
      assert.deepEqual(
        { level: highestLevel(there), back: highestLevel(back) },
        { level: row.level, back: row.back },
        [...there, ...back].map(({ message }) => message).join('\n'),
      )
    })
  }

  test(`${name} › has a reason if and only if Portbook disagrees with ${peer}`, () => {
    const wrong = rows.filter((row) => countDisagreements(row) > 0 !== (row.reason !== undefined))
    assert.deepEqual(wrong, [])
  })

  test(`${name} › lists every disagreement with ${peer} in docs/levels.md`, () => {
    const part = SECTION.split('\n### ').find((one) => one.startsWith(name.toUpperCase())) ?? ''
    const lines = part.split('\n').filter((line) => line.startsWith('| '))
    const disagreements = rows.filter((row) => countDisagreements(row) > 0)
    assert.deepEqual(lines.slice(1), disagreements.map(toTableLine))
    const total = disagreements.reduce((sum, row) => sum + countDisagreements(row), 0)
    assert.ok(
      part.includes(`${rows.length} changes in both directions, ${total} disagreements`),
      `${rows.length} ${total}`,
    )
    assert.ok(SECTION.includes(peer))
  })
}
