// How to read the data of a server: its address, a statement, and commands of common tools. The page, the API and
// agents read this one description. It contains only what the document contains, and never a credential.

import { isComputed } from '../data-contract/export-fields.ts'
import type { Server } from '../data-contract/data-contract.ts'
import { listColumns } from '../generate/sql-select.ts'
import type { Model } from '../schema/model.ts'
import { getField } from '../text/value.ts'
import { ADDRESS_NAMES, type Fact, listFacts, toFact, toText } from './facts.ts'
import { PLATFORM_RULES } from './platforms.ts'
import { isPlain } from './quote.ts'
import { findTablePath, writeStatement, type TablePath } from './statement.ts'
import type { PlatformRules, SnippetLanguage, SnippetRule, Target } from './target.ts'
import { findNameOddity, findOddity, hasSecret, splitHost } from './value-check.ts'
import { VariableMask } from './variable-mask.ts'

/** A text to copy for a tool. */
interface Snippet {
  /** The name of the tool: `psql`, `JDBC`. */
  tool: string
  language: SnippetLanguage
  text: string
}

/** The address of one table on one server, with a statement and snippets that read it. */
export interface Connection {
  /** The name of the server in its document. */
  server: string
  environment?: string
  /** The type of the server in lower case: `postgresql`; undefined if the document does not name it. */
  platform?: string
  /** The name of the model; undefined = the contract has none. */
  model?: string
  facts: Fact[]
  /** A query of ten rows in the dialect of the platform; undefined = it is not queried with SQL, or not safely. */
  statement?: string
  snippets: Snippet[]
  /** The variables, as they are written, that only the authors of the document can replace: `${HOST}`. */
  unresolved: string[]
}

/** A server, one of its tables, and the roles that were granted. */
export interface ConnectionInput {
  server: Server
  /** Undefined = the document describes none. */
  model?: Model | undefined
  roles?: readonly string[]
  /** Whether the contract is written in another schema language, in which names do not name tables. */
  isSpecification?: boolean
}

const ODD_DEFAULT = 'Contains a variable whose default would need escapes.'

const COLUMNS_MAX = 100
const STATEMENT_CHARACTERS_MAX = 10_000
const ROLES_MAX = 10

/** Describes how to read a table of a server. Never throws. */
export function describeConnection(input: ConnectionInput): Connection {
  return new Description(input).describe()
}

class Description {
  readonly #input: ConnectionInput
  readonly #type: string
  readonly #rules: PlatformRules
  readonly #mask: VariableMask
  readonly #table: string
  readonly #columns: readonly string[]
  readonly #notes: Fact[] = []

  constructor(input: ConnectionInput) {
    const { server, model } = input
    this.#input = input
    this.#type = server.type?.toLowerCase() ?? ''
    this.#rules = PLATFORM_RULES[this.#type] ?? { rules: [] }
    const own = ['topic', 'table', 'view'].map((name) => toText(getField(server.properties, name)))
    this.#table = model?.physicalName ?? model?.name ?? own.find((name) => name !== undefined) ?? ''
    const columns = model === undefined ? [] : listColumns(withoutComputed(model))
    this.#columns = columns.length > COLUMNS_MAX ? [] : columns
    const texts = ADDRESS_NAMES.map((name) => toText(getField(server.properties, name)) ?? '')
    this.#mask = new VariableMask([...texts, this.#table, ...columns, ...(input.roles ?? [])])
  }

  describe(): Connection {
    const { server, model, roles = [] } = this.#input
    const facts = listFacts(server.properties, (name, text) => this.#findOddity(name, text))
    const table = this.#describeTable()
    const isSafe = [...facts.filter(({ name }) => ADDRESS_NAMES.includes(name)), ...table].every(
      ({ warning }) => warning === undefined,
    )
    const path = isSafe ? this.#findPath() : []
    const statement = this.#writeStatement(path)
    const snippets = isSafe ? this.#writeSnippets(path, statement) : []
    const granted = roles
      .slice(0, ROLES_MAX)
      .map((role) => toFact({ name: 'role', label: 'Role', text: role }))
    return {
      server: server.name,
      ...(server.environment === undefined ? {} : { environment: server.environment }),
      ...(this.#type === '' ? {} : { platform: this.#type }),
      ...(model === undefined ? {} : { model: model.name }),
      facts: [...facts, ...table, ...granted, ...this.#notes],
      ...(statement === '' ? {} : { statement: this.#mask.unmask(statement) }),
      snippets,
      unresolved: [...this.#mask.notations],
    }
  }

  #get(name: string): string {
    const text = toText(getField(this.#input.server.properties, name))
    return text === undefined ? '' : this.#mask.mask(text.trim())
  }

  #findOddity(name: string, text: string): string | undefined {
    if (hasSecret(text)) return 'Contains a password or a signature.'
    if (this.#mask.hasOddDefault(text)) return ODD_DEFAULT
    const known = this.#mask.toChecked(this.#mask.mask(text.trim()))
    return findOddity(name, toCheckedText(name, known))
  }

  #describeTable(): Fact[] {
    if (this.#table === '') return []
    const { tableLabel = 'Table' } = this.#rules
    const name = tableLabel.toLowerCase()
    const isTopic = tableLabel === 'Topic' && this.#get('topic') === ''
    const masked = this.#mask.toChecked(this.#mask.mask(this.#table))
    const oddity = isTopic ? findOddity('topic', masked) : findNameOddity(masked)
    const warning = this.#mask.hasOddDefault(this.#table) ? ODD_DEFAULT : oddity
    const facts = [toFact({ name, label: tableLabel, text: this.#table, warning })]
    for (const column of this.#columns) {
      const reason = this.#mask.hasOddDefault(column) ? ODD_DEFAULT : findNameOddity(column)
      if (reason === undefined) continue
      facts.push(toFact({ name: 'column', label: 'Column', text: column, warning: reason }))
      break
    }
    return this.#rules.tableLabel === 'Topic' && !isTopic ? facts.slice(1) : facts
  }

  // Empty = the data has no table, or is not read with SQL.
  #findPath(): TablePath {
    const { dialect } = this.#rules
    const { model, isSpecification = false } = this.#input
    if (dialect === undefined || this.#table === '') return []
    const get = (name: string) => this.#get(name)
    const masked = this.#mask.mask(this.#table)
    const own = model === undefined ? toNamelessModel(masked) : { ...model, physicalName: masked }
    const target = { type: this.#type, dialect, get }
    return findTablePath(own, target, !isSpecification)
  }

  #writeStatement(path: TablePath): string {
    const { dialect } = this.#rules
    if (dialect === undefined || path.length === 0) return ''
    const columns = this.#columns.map((column) => this.#mask.mask(column))
    const statement = writeStatement(path, columns, dialect)
    return statement.length > STATEMENT_CHARACTERS_MAX
      ? writeStatement(path, [], dialect)
      : statement
  }

  #writeSnippets(path: TablePath, statement: string): Snippet[] {
    const target = this.#createTarget(path, statement)
    const omitted = new Set<string>()
    const snippets = this.#rules.rules.flatMap((rule): Snippet[] => {
      const { tool, language } = rule
      const isPossible = (rule.needs ?? []).every((name) => readMember(target, name) !== '')
      if (!isPossible) return []
      const text = isWritable(rule, target) ? rule.write(target) : undefined
      if (text !== undefined) return [{ tool, language, text: this.#mask.unmask(text) }]
      if (!isWritable(rule, target)) omitted.add(tool)
      return []
    })
    if (omitted.size > 0) {
      const warning = 'These tools would interpret characters of the names.'
      this.#notes.push({
        name: 'tools',
        label: 'No snippet',
        value: [...omitted].join(', '),
        warning,
      })
    }
    return snippets
  }

  #createTarget(path: TablePath, statement: string): Target {
    const { roles = [] } = this.#input
    const { host, port = this.#rules.port ?? '' } = readHost((name) => this.#get(name))
    const [role = ''] = roles.length === 1 ? roles : []
    const isOddRole = role === '' || findOddity('role', role) !== undefined
    const bootstrap = this.#get('host')
      .split(',')
      .map((one) => one.trim())
    const ownPort = this.#get('port')
    const table = this.#mask.mask(this.#table)
    const names: Readonly<Record<string, string>> = {
      topic: this.#get('topic') || table,
      servers: bootstrap.map((one) => withPort(one, ownPort)).join(','),
      location: this.#get('location').replaceAll('{model}', () => encodeURIComponent(table)),
    }
    return {
      get: (name) => (Object.hasOwn(names, name) ? (names[name] ?? '') : this.#get(name)),
      host,
      port,
      address: port === '' ? host : `${host}:${port}`,
      statement,
      table,
      path,
      columns: this.#columns.map((column) => this.#mask.mask(column)),
      role: isOddRole ? '' : this.#mask.mask(role),
    }
  }
}

function withPort(host: string, port: string): string {
  return host === '' || port === '' || splitHost(host).port !== undefined ? host : `${host}:${port}`
}

function withoutComputed(model: Model): Model {
  return { ...model, fields: model.fields.filter((field) => !isComputed(field)) }
}

function toNamelessModel(name: string): Model {
  return {
    name,
    kind: 'table',
    fields: [],
    primaryKey: [],
    quality: [],
    tags: [],
    origin: '',
  }
}

// Some documents have an address of the web instead of a host, or a port at its end.
function readHost(get: (name: string) => string): { host: string; port?: string } {
  const { host, port } = splitHost(toHost(get('host')))
  const own = get('port') || port
  return own === undefined ? { host } : { host, port: own }
}

function toHost(text: string): string {
  return text.replace(/^https?:\/\//i, '').replace(/\/+$/, '')
}

function toCheckedText(name: string, text: string): string {
  if (name === 'host') return toHost(text)
  // The value of a variable is unknown: one that is a whole port is a port.
  if (name === 'port') return text === 'x' ? '1' : text
  return name === 'location' ? text.replaceAll('{model}', 'x') : text
}

function readMember(target: Target, name: string): string {
  if (name === 'host') return target.host
  if (name === 'statement') return target.statement
  return name === 'table' ? target.table : target.get(name)
}

function isWritable({ plain = [], interprets }: SnippetRule, target: Target): boolean {
  const isEscaped = plain.some((name) => target.get(name) !== '' && !isPlain(target.get(name)))
  const texts = [target.statement, target.table, ...target.columns]
  return !isEscaped && !(interprets !== undefined && texts.some((text) => interprets.test(text)))
}
