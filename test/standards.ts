// The official JSON Schemas and public example documents of the standards, for tests only: they are others' work and
// not part of this repository. They lie in `standards/<kind>/` of a folder `shared` beside it.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'node:test'

export type StandardKind = 'odps' | 'dps' | 'odcs' | 'dcs'

export interface StandardFile {
  name: string
  text: string
}

const FOLDER = new URL('../../shared/standards/', import.meta.url)

/** Gives all files of a standard, sorted by name; undefined where they are missing. */
export function standards(kind: StandardKind): StandardFile[] | undefined {
  const folder = new URL(`${kind}/`, FOLDER)
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
}

/** Gives all files of a standard; where they are missing it skips the test, or fails it when `CI` is `true`. */
export function standardsFor(test: TestContext, kind: StandardKind): StandardFile[] | undefined {
  const files = standards(kind)
  if (files !== undefined) return files
  const message = `the official files of ${kind} are missing: ${fileURLToPath(new URL(kind, FOLDER))}`
  assert.notEqual(process.env['CI'], 'true', message)
  test.skip(message)
  return undefined
}
