// ALTER TABLE: the actions of all dialects, one after the other.

import { alterConstraint } from './alter-constraint.ts'
import { canonicalTokens } from './canonical.ts'
import { ColumnAlteration } from './alter-column.ts'
import type { SqlCatalog } from './catalog.ts'
import { readOptions } from './clause.ts'
import { readPartitionBounds } from './create.ts'
import { readElement, readElements } from './column.ts'
import { readConstraint } from './constraint.ts'
import { isElementEnd, skipElement } from './element.ts'
import type { SqlContext } from './context.ts'
import type { SqlCursor } from './cursor.ts'
import { runProgramState } from './program-statements.ts'
import type { SqlTable } from './table.ts'

/** Begin an action that is not about the columns, keys or checks of the table. */
const STORAGE_ACTIONS = new Set(
  `owner enable disable cluster clustering replica engine auto_increment row_format default character charset collate
  force order algorithm lock partition reorganize rebuild truncate exchange coalesce analyze optimize check
  detach switch reset no not recluster resume suspend refresh undrop move compact recover
  unset sync touch archive repair discard import remove stats_persistent tablespace max_rows min_rows avg_row_length
  checksum pack_keys key_block_size compression encryption upgrade comment dist diststyle append materialize
  freeze fetch update inherit attach volatile data activate pctfree locksize value compress log`.split(
    /\s+/,
  ),
)

/** Executes the actions of ALTER TABLE after the name of the table. */
export class Alteration {
  readonly #cursor: SqlCursor
  readonly #table: SqlTable
  readonly #context: SqlContext
  readonly #catalog: SqlCatalog
  readonly #columns: ColumnAlteration

  constructor(
    cursor: SqlCursor,
    table: SqlTable,
    options: { context: SqlContext; catalog: SqlCatalog },
  ) {
    this.#cursor = cursor
    this.#table = table
    this.#context = options.context
    this.#catalog = options.catalog
    this.#columns = new ColumnAlteration(cursor, table, options.context)
  }

  run(): void {
    const cursor = this.#cursor
    do {
      const isTrusted = cursor.take('with', 'check') || undefined
      const isUntrusted = isTrusted === undefined && cursor.take('with', 'nocheck')
      const count = this.#table.constraintCount
      if (!alterConstraint(cursor, this.#table, this.#context, isTrusted)) this.#action()
      if (isUntrusted) this.#markUnchecked(count)
      if (!cursor.isAtEnd() && !cursor.isSign(',')) this.#reject()
    } while (cursor.takeSign(','))
  }

  // The rows that a table of SQL Server had before are not checked.
  #markUnchecked(from: number): void {
    for (const constraint of this.#table.constraintsFrom(from)) {
      if (constraint.kind === 'check' || constraint.kind === 'foreignKey') {
        constraint.clauses.push('not valid')
      }
    }
  }

  #reject(): never {
    const found = this.#cursor.token()?.text.slice(0, 40) ?? ''
    return this.#cursor.reject(`"${found}" is not an action of ALTER TABLE that is read.`)
  }

  #action(): void {
    const cursor = this.#cursor
    if (cursor.take('add')) this.#add()
    else if (cursor.take('drop')) this.#drop()
    else if (cursor.take('alter')) this.#columns.alter()
    else if (cursor.take('modify')) this.#columns.modify()
    else if (cursor.take('change')) this.#columns.change()
    else if (cursor.take('rename')) this.#rename()
    else if (cursor.take('set')) this.#set()
    else if (cursor.take('unset') || cursor.take('reset')) {
      if (!this.#changePolicy('unset')) this.#changeSecurity(false)
    } else if (cursor.take('swap', 'with')) this.#swap()
    else if (cursor.take('replace', 'columns')) {
      this.#table.dropColumns()
      readElements(cursor, this.#table, this.#context)
    } else if (cursor.word() === 'convert') this.#keepUnanalyzed()
    else if (STORAGE_ACTIONS.has(cursor.word())) this.#storage()
    else this.#reject()
  }

  #storage(): void {
    const cursor = this.#cursor
    const { visibility } = this.#table
    if (this.#takeRowSecurity('enable')) visibility.isRowSecurityOn = true
    else if (this.#takeRowSecurity('disable')) visibility.isRowSecurityOn = false
    else if (this.#takeRowSecurity('force')) visibility.isForced = true
    else if (this.#takeRowSecurity('no', 'force')) visibility.isForced = false
    else if (runProgramState(cursor, this.#table, this.#catalog)) return
    else if (cursor.take('comment')) {
      cursor.takeSign('=')
      const description = cursor.takeText()
      if (description !== undefined) this.#table.description = description
    } else if (cursor.take('attach', 'partition')) {
      const partition = this.#catalog.find(cursor.parts(this.#context.isBigQuery))
      if (partition !== undefined) {
        this.#table.children.push(partition)
        if (/^(?:for|default)$/.test(cursor.word())) readPartitionBounds(cursor, partition)
      }
    } else if (cursor.take('inherit')) {
      this.#catalog.find(cursor.parts(false))?.children.push(this.#table)
    }
    skipElement(cursor)
  }

  #takeRowSecurity(...verb: string[]): boolean {
    return this.#cursor.take(...verb, 'row', 'level', 'security')
  }

  // `add row access policy p on (a)`, `set row filter f on (a)`, `set aggregation policy p`; false for another action.
  #changePolicy(verb: 'add' | 'drop' | 'set' | 'unset'): boolean {
    const cursor = this.#cursor
    const isAll = cursor.word() === 'all' && cursor.word(1) === 'row'
    const words = [cursor.word(isAll ? 1 : 0), cursor.word(isAll ? 2 : 1)].join(' ')
    if (!/^(?:row (?:access|filter)|(?:aggregation|join|projection) policy)$/.test(words))
      return false
    const from = cursor.at
    skipElement(cursor)
    const { visibility } = this.#table
    const text = canonicalTokens(cursor.tokens.slice(from, cursor.at))
    if (verb === 'add' || verb === 'set') {
      const key = verb === 'set' ? words : `${words} ${text}`
      visibility.set(key, text)
    } else {
      if (isAll) visibility.remove(words)
      else visibility.delete(words === 'row access' ? `${words} ${text}` : words)
    }
    return true
  }

  // `set (security_invoker = on)` and `set secure` of views; other options are about storage.
  #changeSecurity(isSet: boolean): void {
    const cursor = this.#cursor
    const from = cursor.at
    skipElement(cursor)
    const text = canonicalTokens(cursor.tokens.slice(from, cursor.at))
    if (!/\bsecur(?:e|ity_\w+)\b/.test(text)) return
    if (isSet) this.#table.visibility.extend('security', text)
    else this.#table.visibility.delete('security')
  }

  #keepUnanalyzed(): void {
    const from = this.#cursor.at
    skipElement(this.#cursor)
    this.#table.unanalyzed.push(canonicalTokens(this.#cursor.tokens.slice(from, this.#cursor.at)))
  }

  #add(): void {
    const cursor = this.#cursor
    const word = cursor.word()
    if (this.#changePolicy('add')) return undefined
    if (
      /^(?:partition|search|clustering|projection|statistics|files)$/.test(word) &&
      !this.#columns.isTyped()
    ) {
      return skipElement(cursor)
    }
    if (readConstraint(cursor, this.#table, this.#context)) return skipElement(cursor)
    do this.#addColumn()
    while (this.#goesOn())
  }

  #addColumn(): void {
    const cursor = this.#cursor
    if (!cursor.take('column') && cursor.isSign('(', 1)) cursor.take('columns')
    const isOptional = cursor.take('if', 'not', 'exists')
    if (cursor.isSign('(')) readElements(cursor, this.#table, this.#context)
    else if (isOptional && this.#table.column(cursor.token()?.text ?? '') !== undefined) {
      skipElement(cursor)
    } else readElement(cursor, this.#table, this.#context)
  }

  // Snowflake and SQL Server do not repeat the verb: `add a int, b int`, `drop column a, b`.
  #goesOn(): boolean {
    const cursor = this.#cursor
    if (!cursor.isSign(',') || !cursor.isName(1)) return false
    const word = cursor.word(1)
    const isAction = /^(?:add|drop|alter|modify|change|rename|set|swap|convert)$/.test(word)
    const isOption = STORAGE_ACTIONS.has(word) && !this.#columns.isTyped(1)
    if (isAction || isOption) return false
    cursor.at += 1
    return true
  }

  #drop(): void {
    const cursor = this.#cursor
    if (this.#changePolicy('drop')) return
    if (cursor.take('primary', 'key')) this.#table.dropPrimaryKey()
    else if (cursor.take('foreign', 'key')) {
      cursor.take('if', 'exists')
      this.#dropConstraint(cursor.name())
    } else if (cursor.take('index') || cursor.take('key')) {
      cursor.take('if', 'exists')
      // An index that is not unique has no name here.
      this.#table.dropConstraint(cursor.name())
    } else if (
      /^(?:partition|search|clustering|projection|statistics|period)$/.test(cursor.word())
    ) {
      skipElement(cursor)
    } else {
      do this.#dropColumn()
      while (this.#goesOn())
      return
    }
    skipElement(cursor)
  }

  #dropColumn(): void {
    const cursor = this.#cursor
    const isConstraint = cursor.take('constraint') || cursor.take('check')
    const isColumn = cursor.take('column') || cursor.take('columns')
    const isOptional = cursor.take('if', 'exists')
    const names = cursor.isSign('(') ? cursor.names() : [cursor.name()]
    if (cursor.isSign('.'))
      cursor.reject('A field inside a column cannot be changed by a script here.')
    for (const name of names) {
      // SQL Server needs no word to drop a constraint.
      const isBare = !isColumn && this.#context.platform === 'sqlserver'
      if (isConstraint || isBare) this.#dropConstraint(name, isOptional)
      else {
        const column = this.#table.column(name)
        if (column !== undefined) {
          this.#table.dropColumn(column)
          this.#markDependents([name])
        } else if (!isOptional) this.#columns.rejectColumn(name)
      }
    }
    while (!isElementEnd(cursor)) cursor.skip()
  }

  #dropConstraint(name: string, isOptional = false): void {
    if (this.#table.dropConstraint(name)) return this.#markDependents([])
    if (isOptional) return
    const table = this.#table.parts.at(-1)?.slice(0, 40) ?? ''
    this.#cursor.at -= 1
    this.#cursor.reject(`Table "${table}" has no constraint "${name.slice(0, 40)}" here.`)
  }

  // Views of a column, foreign keys to a key.
  #markDependents(names: readonly string[]): void {
    const { tokens } = this.#cursor
    if (tokens.at(-1)?.text.toLowerCase() !== 'cascade') return
    const all = [this.#table.parts.at(-1) ?? '', ...names]
    this.#catalog.markDependents(all, canonicalTokens(tokens), this.#table)
  }

  #rename(): void {
    const cursor = this.#cursor
    if (cursor.take('to') || cursor.take('as')) return this.#renameTable()
    if (cursor.take('constraint')) {
      const name = cursor.name()
      if (!cursor.take('to')) cursor.fail('TO')
      this.#table.renameConstraint(name, cursor.name())
      return undefined
    }
    if (cursor.word() === 'index' || cursor.word() === 'key') return skipElement(cursor)
    const isColumn = cursor.take('column') || cursor.word(1) === 'to'
    if (!isColumn) return this.#renameTable()
    const column = this.#columns.find()
    if (!cursor.take('to')) cursor.fail('TO')
    this.#table.renameColumn(column, cursor.name())
    return undefined
  }

  #renameTable(): void {
    const name = this.#cursor.parts(this.#context.isBigQuery)
    this.#catalog.rename(this.#table, name.length > 1 ? this.#context.qualify(name) : name)
  }

  #set(): void {
    const cursor = this.#cursor
    if (this.#changePolicy('set')) return
    if (cursor.take('schema')) {
      const schema = cursor.name()
      this.#catalog.rename(this.#table, [schema, this.#table.parts.at(-1) ?? ''])
    } else if (cursor.take('options')) {
      this.#table.description = readOptions(cursor) ?? this.#table.description
    } else if (cursor.take('comment')) {
      cursor.takeSign('=')
      this.#table.description = cursor.takeText() ?? this.#table.description
    } else this.#changeSecurity(true)
    skipElement(cursor)
  }

  #swap(): void {
    const other = this.#catalog.find(this.#cursor.parts(this.#context.isBigQuery))
    if (other === undefined) this.#cursor.reject('The script does not create this table.')
    const [one, two] = [this.#table.parts, other.parts]
    this.#catalog.rename(this.#table, two, [])
    this.#catalog.rename(other, one, [])
  }
}
