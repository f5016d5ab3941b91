import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import { hasFormat, type TextFormat } from './text-format.ts'

test('text formats › agree with the common validator', () => {
  const samples: { [format in TextFormat]: string[] } = {
    uri: [
      'https://u:p@example.com:80/a/b?c=d#e',
      'urn:a:b',
      'mailto:a@b.c',
      'http://[::1]/',
      'a:/b',
    ],
    date: ['2024-02-29', '2023-02-29', '2000-12-31', '1900-02-29'],
    'date-time': ['2024-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '2016-12-31 15:59:60.5-08:00'],
    email: ['ada@example.com', 'a.b+c@sub.example.org'],
  }
  for (const format of ['uri', 'date', 'date-time', 'email'] as const) {
    const ajv = new Ajv()
    addFormats.default(ajv)
    const validate = ajv.compile({ type: 'string', format })
    const text = fc
      .record({
        sample: fc.constantFrom(...samples[format]),
        edits: fc.array(
          fc.record({
            at: fc.nat(40),
            cut: fc.nat(2),
            text: fc.string({
              maxLength: 2,
              unit: fc.constantFrom(...Array.from('aZ09:/?#[]@%-.Tz+ é"'), '[::', '%4f', 'v1.'),
            }),
          }),
          { maxLength: 3 },
        ),
      })
      .map(({ sample, edits }) =>
        edits.reduce(
          (old, { at, cut, text }) => old.slice(0, at) + text + old.slice(at + cut),
          sample,
        ),
      )
    fc.assert(
      fc.property(text, (value) => assert.equal(hasFormat(value, format), validate(value), value)),
      { seed: 1, numRuns: 2000 },
    )
  }
})
