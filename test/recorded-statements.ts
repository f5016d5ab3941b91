/** Records the texts of the statements that functions send to a database. */

import type { Pool } from 'pg'

/** A statement with the values of its parameters. */
export interface RecordedStatement {
  text: string
  values: readonly unknown[]
}

/** A recording of the connections that a pool opens. */
export interface Recording {
  /** Returns the distinct statements that the work sends, or only its settings; none that control a transaction. */
  record(
    work: () => Promise<unknown>,
    which?: 'statements' | 'settings',
  ): Promise<RecordedStatement[]>
}

const CONTROL = /^\s*(?:begin|commit|rollback)/i
const SETTING = /^\s*(?:set\b|select set_config)/i

/** Records a pool that has not opened a connection yet. */
export function recordStatements(pool: Pool): Recording {
  let statements = new Map<string, RecordedStatement>()
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as (...parameters: unknown[]) => unknown
    Reflect.set(client, 'query', (...parameters: unknown[]) => {
      const [query] = parameters
      const { text, values = [] } = toStatement(query)
      if (text !== undefined && !CONTROL.test(text)) statements.set(text, { text, values })
      return send(...parameters)
    })
  })
  return {
    async record(work, which = 'statements') {
      statements = new Map()
      await work()
      const isWanted = which === 'settings'
      return [...statements.values()].filter(({ text }) => SETTING.test(text) === isWanted)
    },
  }
}

function toStatement(query: unknown): { text?: string; values?: readonly unknown[] } {
  if (typeof query === 'string') return { text: query }
  return typeof query === 'object' && query !== null ? query : {}
}
