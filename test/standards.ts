// The official JSON Schemas, with their annotations, and public example documents of the standards, only for tests.
// They are other people's work and not part of this repository; they are in `standards/<kind>/` of a folder `shared`
// next to it. The schemas without annotations are in `formats/standards/`.

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

/** Returns all files of a standard, sorted by name; undefined if they are missing. */
export function standards(kind: StandardKind): StandardFile[] | undefined {
  const folder = new URL(`${kind}/`, FOLDER)
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }))
}

/** Returns all files of a standard; if they are missing, skips the test, or fails it if `CI` is `true`. */
export function standardsFor(test: TestContext, kind: StandardKind): StandardFile[] | undefined {
  const files = standards(kind)
  if (files !== undefined) return files
  const message = `the official files of ${kind} are missing: ${fileURLToPath(new URL(kind, FOLDER))}`
  assert.notEqual(process.env['CI'], 'true', message)
  test.skip(message)
  return undefined
}
