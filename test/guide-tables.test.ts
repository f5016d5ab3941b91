/** The guides have a row for everything that is declared: types of events and kinds of notifications. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EVENT_ACTIONS, EVENT_SUBJECTS, OTHER_EVENTS } from '../server/ledger/events/event.ts'
import { NOTIFICATION_KINDS } from '../server/notices/notifications/kinds.ts'
import { KINDS } from '../server/platform/kinds.ts'

test('docs/guides/webhooks.md › has a row for every type of event, as it is declared', () => {
  const expected = [...EVENT_SUBJECTS.map(toDocumentRow), ...Object.keys(OTHER_EVENTS).map(toRow)]
  assert.deepEqual(readRows('webhooks', '## Types of events'), expected)
})

test('docs/guides/notifications.md › has a row for every kind of notification', () => {
  const titles = readRows('notifications', '## What notifies').map(
    (row) => row.split(' | ')[0] ?? '',
  )
  const expected = Object.values(NOTIFICATION_KINDS).map(({ title }) => `| ${title}`)
  assert.deepEqual(titles.toSorted(), expected.toSorted())
})

/** Reads the rows of the first table of a section of a guide. */
function readRows(guide: string, heading: string): string[] {
  const text = readFileSync(new URL(`../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  const [, section = ''] = text.split(`${heading}\n`)
  const lines = section.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|--'))
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'))
  return lines.slice(start + 1, end)
}

/** Writes the row of the events of a kind of document. */
function toDocumentRow(subject: (typeof EVENT_SUBJECTS)[number]): string {
  const names = EVENT_ACTIONS.map((action) => `${subject}${action}Event`)
  const kind = Object.values(KINDS).find(({ event }) => event === subject)
  const called = kind?.called ?? 'output port'
  const isOwned = kind === undefined || kind.kind !== 'team'
  const owner = isOwned
    ? `the owner of the ${kind === undefined ? 'data product' : 'document'}`
    : 'the team'
  return writeRow(names, `${withArticle(called)} is created, changed or deleted`, {
    subject: kind === undefined ? 'data product' : called,
    owner,
    entry: kind?.kind ?? 'data-product',
  })
}

function toRow(name: string): string {
  const row = Object.entries(OTHER_EVENTS).find(([one]) => one === name)?.[1]
  assert.ok(row !== undefined)
  return writeRow([name], row.when, row)
}

function writeRow(
  names: readonly string[],
  when: string,
  { subject, owner, entry }: { subject: string; owner: string; entry: string | null },
): string {
  const kinds = Object.values(NOTIFICATION_KINDS)
    .filter((kind) => 'events' in kind && kind.events.some((name) => names.includes(name)))
    .map(({ title }) => title)
  const types = names.map((name) => `\`${name}\``).join(', ')
  const written = entry === null ? '' : `\`${entry}\``
  return `| ${[types, when, subject, owner, written, kinds.join(', ')].join(' | ')} |`
}

function withArticle(words: string): string {
  return `${/^[aeiou]/i.test(words) ? 'an' : 'a'} ${words}`
}
