/** The rows of a group with the four commands put, get, list and delete. */

import type { CommandRow } from '../command-rows.ts'

/** A group of commands for one kind of document. */
export interface CrudGroup {
  /** The name of the group: `tags`. */
  readonly group: string
  /** The path of the kind, if it is not `/api/<group>`. */
  readonly path?: string
  /** The noun in messages: `Tag`. */
  readonly noun: string
  readonly id: string
  readonly document: Readonly<Record<string, unknown>>
  /** The headers of its table, and the cells of this document. */
  readonly columns: readonly (readonly [header: string, cell: string])[]
  /** Rows between list and delete. */
  readonly between?: readonly CommandRow[]
}

/** Returns the rows of a group: put, get in two formats, list, and delete. */
export function crudRows(group: CrudGroup): CommandRow[] {
  const { group: name, noun, id, document, columns, path = `/api/${name}` } = group
  const own = `${path}/${id}`
  const headers = new RegExp(columns.map(([header]) => escape(header)).join(' ┃ '))
  const cells = new RegExp(columns.map(([, cell]) => escape(cell)).join(' │ '))
  return [
    {
      command: `${name} put`,
      args: [id],
      input: document,
      prints: [`${noun} '${id}' saved.`, /Open http:\S+/],
      shows: [own, document],
    },
    { command: `${name} put`, args: [id], input: document, prints: [`${noun} '${id}' saved.`] },
    { command: `${name} get`, args: [id], prints: [headers, cells] },
    { command: `${name} get`, args: [id, '-o', 'json'], prints: [/^\{ "/] },
    { command: `${name} list`, prints: [headers, cells] },
    ...(group.between ?? []),
    {
      command: `${name} delete`,
      args: [id],
      prints: [`${noun} '${id}' deleted.`],
      shows: [own, 404],
    },
    { command: `${name} get`, args: [id], fails: [1, /API error: HTTP 404 from/] },
  ]
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
