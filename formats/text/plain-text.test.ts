import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlainText } from './plain-text.ts'

for (const [markdown, text] of [
  ['', ''],
  ['Plain words, 3 * 4 * 5 and a_b_c.', 'Plain words, 3 * 4 * 5 and a_b_c.'],
  ['## Rule\n\nEvery field has a type.', 'Rule. Every field has a type.'],
  ['## Why?\nBecause.', 'Why? Because.'],
  ['# Title #', 'Title.'],
  ['Ends with **bold**, *soft* and ***both***.', 'Ends with bold, soft and both.'],
  ['__bold__ and _soft_, but not snake_case_name', 'bold and soft, but not snake_case_name'],
  ['Fields end with `_at`.', 'Fields end with _at.'],
  ['``a * b`` and `**c**`', 'a * b and **c**'],
  ['See [the guide](https://x.example/a_b "Guide") and [this][1].', 'See the guide and this.'],
  ['![A diagram](x.png) of it', 'A diagram of it'],
  ['<https://x.example>', 'https://x.example'],
  ['- one\n- [x] two\n* three\n  + four', 'one two three four'],
  ['1. first\n2. second', '1. first 2. second'],
  ['> quoted\n> > twice', 'quoted twice'],
  ['```sql\nselect * from a\n```\nafter', 'select * from a after'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a, b 1, 2'],
  ['above\n\n---\n\nbelow', 'above below'],
  ['Heading\n=======\ntext', 'Heading text'],
  ['~~old~~ new', 'old new'],
  ['1\\. not a list, \\*stars\\*', '1. not a list, *stars*'],
  ['a\r\nb\rc', 'a b c'],
  ['5 > 3 and a | b', '5 > 3 and a | b'],
  ['#tag and C#', '#tag and C#'],
  ['** not bold **', '** not bold **'],
  ['𝔘nicode 🚂 **Züge**', '𝔘nicode 🚂 Züge'],
] as const) {
  test(`writes ${JSON.stringify(markdown)} as plain text`, () => {
    assert.equal(toPlainText(markdown), text)
  })
}

test('reads long and hostile texts in linear time', () => {
  for (const piece of [
    '[',
    '*',
    '_',
    '`',
    '> ',
    '![](',
    '\\',
    '|',
    '~',
    '- ',
    '<http://',
    '#',
    '[a](',
  ]) {
    const text = piece.repeat(200_000)
    assert.ok(toPlainText(text).length <= 20_000, piece)
  }
})
