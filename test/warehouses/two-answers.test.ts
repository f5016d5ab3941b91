/**
 * Runs every reading of every platform that combines answers, with answers of different times: nothing is ever
 * published without its columns or its text, and an ordinary run repairs everything.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onStore } from '../stores.ts'
import type { CaseContents, CaseTable } from './platform.ts'
import { PLATFORMS } from './platforms.ts'
import { newRunWorld, type RunWorld } from './run-world.ts'

const LINES: CaseTable = { name: 'lines', comment: 'Sold items' }

/** Contents with a table and a view that differ in every fact. */
function newContents(state: string, more: string[] = []): CaseContents {
  const columns = [
    { name: 'id', comment: `Number ${state}` },
    ...more.map((name) => ({ name, comment: `Column ${name}` })),
  ]
  const orders = {
    name: 'orders',
    columns,
    comment: `Orders ${state}`,
    primaryKey: ['id', ...more],
  }
  const recent = { name: 'recent', columns, viewText: `select '${state}'` }
  return { sales: [orders, LINES, recent] }
}

const OLD = newContents('old')
const CURRENT = newContents('current', ['added'])
const NEWER = newContents('newer', ['added', 'more'])

const omit = (name: string): CaseContents => ({
  sales: (CURRENT['sales'] ?? []).filter((table) => table.name !== name),
})

/** The contents of the second answer, by their names. */
const OTHERS: Readonly<Record<string, CaseContents>> = {
  'lacks a table': omit('orders'),
  'lacks a view': omit('recent'),
  'lacks all': { sales: [] },
  'is of an older state': OLD,
  'is of a newer state': NEWER,
}

const isLack = (name: string): boolean => name.startsWith('lacks')

interface Shown {
  description?: string | undefined
  columns: [name: string, description: string | undefined][]
  text?: unknown
}

interface ShownDocument {
  info: { description?: string }
  columns?: { name: string; description?: string }[]
  custom?: Record<string, unknown>
}

async function listShown({ world, platform }: RunWorld): Promise<Map<string, Shown>> {
  const assets = await world.assets()
  return new Map(
    ['orders', 'lines', 'recent'].map((name): [string, Shown] => {
      const asset = assets.get(platform.toPath('sales', name).join('.'))
      assert.ok(asset !== undefined, `${name} is missing`)
      const { info, columns = [], custom } = asset.document as unknown as ShownDocument
      const described = columns.map(({ name: column, description }): Shown['columns'][number] => [
        column,
        description,
      ])
      return [
        name,
        { description: info.description, columns: described, text: custom?.['viewDefinition'] },
      ]
    }),
  )
}

async function assertRepaired(source: RunWorld, expected: Map<string, Shown>): Promise<void> {
  assert.equal((await source.run())[0], 'SUCCESS')
  assert.deepEqual(await listShown(source), expected)
  assert.deepEqual(await source.run(), ['SUCCESS', 0, 0, 0, 0])
}

async function runWithOther(source: RunWorld, part: string, name: string): Promise<void> {
  const { server } = source
  // What consistent answers of the current state show.
  server.setContents(CURRENT)
  assert.equal((await source.run())[0], 'SUCCESS')
  const current = await listShown(source)
  server.setContents(OLD)
  assert.equal((await source.run())[0], 'SUCCESS')
  const old = await listShown(source)
  server.setContents(CURRENT)
  server.showOther?.(part, OTHERS[name])
  const [status, created, , deleted] = await source.run()
  assert.deepEqual([status, created, deleted], ['SUCCESS', 0, 0])
  for (const [table, shown] of await listShown(source)) {
    assert.ok(shown.columns.length > 0, `${table} has no columns`)
    assert.equal(
      shown.text === undefined,
      old.get(table)?.text === undefined,
      `${table} has no text`,
    )
    if (!isLack(name) || part === 'SHOW PRIMARY KEYS') continue
    const states = [old.get(table), current.get(table)].map((state) => JSON.stringify(state))
    assert.ok(states.includes(JSON.stringify(shown)), JSON.stringify(shown))
  }
  server.showOther?.(part, undefined)
  await assertRepaired(source, current)
}

onStore((store) => {
  for (const platform of PLATFORMS) {
    for (const [reading, combined] of Object.entries(platform.combinedReadings)) {
      const { configuration, parts, isOneState = false } = combined
      for (const part of parts) {
        const names = Object.keys(OTHERS)
        for (const name of isOneState ? names.filter(isLack) : names) {
          const title = `${platform.connector.source}, ${reading} › ${part} ${name}`
          test(title, async (t) => {
            const source = await newRunWorld(t, store(), platform)
            await source.configure(configuration)
            await runWithOther(source, part, name)
          })
        }
      }
    }
  }
})
