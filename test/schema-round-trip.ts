/** Tests of a schema language: models that are written in it are read back without a silent loss. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Model, Written } from '../formats/schema/model.ts'
import { plainField, plainModel } from '../formats/schema/plain.ts'
import { Specification } from '../formats/schema/specification.ts'
import { NOWHERE } from '../formats/shape/inspect.ts'
import { Notes } from '../formats/text/problem.ts'
import { modelsArbitrary, type ModelParts } from './model-arbitrary.ts'
import { differingPaths } from './model-equality.ts'

// A name that is changed is kept beside the written one.
function isRename({ message }: { message: string }): boolean {
  return / it is written as "\w+"\.$/.test(message)
}

/** A schema language that models are written in. */
export interface WrittenLanguage {
  name: string
  write(models: readonly Model[]): Written
  read(specification: Specification): Model[]
  /** Throws if a reference implementation of the language rejects the text. */
  assertValid(text: string): void
  /** The parts of models that the language cannot express. */
  unexpressed: readonly (keyof ModelParts)[]
  /** Changes a model to one that the language can express; by default unchanged. */
  adapt?(model: Model): Model
  /** The number of random models of the first test. */
  runs: number
}

/** Defines the tests of a language. */
export function testRoundTrip(language: WrittenLanguage): void {
  const { name, write, assertValid, unexpressed, adapt = (model) => model, runs } = language
  const expressed: ModelParts = Object.fromEntries(unexpressed.map((part) => [part, false]))
  const readBack = (text: string): Model[] => {
    assertValid(text)
    const notes = new Notes(NOWHERE)
    const models = language.read(new Specification(text, [], notes))
    assert.deepEqual(notes.warnings, [])
    return models
  }
  const assertEqual = (models: readonly Model[]): void => {
    const { text, losses } = write(models)
    assert.deepEqual(
      losses.filter((loss) => !isRename(loss)),
      [],
    )
    assert.deepEqual(differingPaths(models, readBack(text)), [])
  }

  test(`${name} › models that it can express are read back equal, without losses, and are valid`, () => {
    const property = fc.property(modelsArbitrary(expressed), (models) =>
      assertEqual(models.map(adapt)),
    )
    fc.assert(property, { seed: 1, numRuns: runs })
  })

  test(`${name} › every difference after reading back is listed as a loss`, () => {
    // One part at a time, so that no loss hides another one.
    const withOneMore = fc
      .constantFrom(...unexpressed)
      .chain((part) => modelsArbitrary({ ...expressed, [part]: true }))
    const property = fc.property(fc.oneof(withOneMore, modelsArbitrary()), (models) => {
      const { text, losses } = write(models)
      const paths = new Set(losses.map(({ path }) => path))
      for (const path of differingPaths(models, readBack(text))) assert.ok(paths.has(path), path)
    })
    fc.assert(property, { seed: 2, numRuns: 130 })
  })

  test(`${name} › a recursive model is read back as a recursive one`, () => {
    const next = { ...plainField('next', 'object', ''), references: ['Node'] }
    const node = { ...plainModel('Node', ''), fields: [plainField('value', 'string', ''), next] }
    const other = { ...plainModel('Other', ''), fields: [plainField('value', 'string', '')] }
    assertEqual([node])
    assertEqual([node, other])
  })

  test(`${name} › lists what it cannot express in sentences, by field`, () => {
    const total = {
      ...plainField('total', 'number', ''),
      format: 'double',
      unique: true,
      classification: 'secret',
      tags: ['money'],
    }
    const model: Model = {
      ...plainModel('orders', ''),
      kind: 'table',
      primaryKey: ['total'],
      fields: [total],
    }
    const lost = [
      ['orders', 'that it is a table'],
      ['orders', 'the primary key'],
      ['orders.total', 'that the values are unique'],
      ['orders.total', 'the classification'],
      ['orders.total', 'the tags'],
    ]
    assert.deepEqual(
      write([model]).losses,
      lost.map(([path, part]) => ({ path, message: `${name} cannot express ${part}.` })),
    )
  })
}
