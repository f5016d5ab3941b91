// The tokens of a .proto text, and a canonical form of it: two texts with equal canonical forms declare the same, apart
// from what the traits of their models already show.

import { findEnd } from './cost.ts'

/** A token or a statement that ends in `;`: the compiler ignores the order of statements. */
type Text = string

const START = /\/\/|\/\*|["']|[\w.]+|[^\s\w.]/g

/** A token of a text and its offsets. */
export interface Token {
  text: string
  at: number
  end: number
}

/** Splits a .proto text into its tokens, without comments and white space. */
export function splitTokens(text: string): Text[] {
  return locateTokens(text).map((token) => token.text)
}

/** Returns the tokens of a .proto text with their offsets. */
export function locateTokens(text: string): Token[] {
  return [...readTokens(text)]
}

function* readTokens(text: string): Generator<Token> {
  const start = new RegExp(START)
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const [token] = found
    const isComment = token === '//' || token === '/*'
    if (isComment || token === '"' || token === "'") {
      const end = findEnd(text, token, start.lastIndex)
      start.lastIndex = end === -1 ? text.length : end
      if (isComment) continue
      const quoted = text.slice(found.index, start.lastIndex)
      yield { text: quoted, at: found.index, end: start.lastIndex }
    } else {
      yield { text: token, at: found.index, end: start.lastIndex }
    }
  }
}

/** Returns the edition of a .proto text: `proto2`, `proto3`, `2023`. A text that does not name one is proto2. */
export function findEdition(text: string): string {
  const [keyword, , value = ''] = readTokens(text)
    .take(3)
    .map((token) => token.text)
  return keyword === 'syntax' || keyword === 'edition' ? value.slice(1, -1) : 'proto2'
}

// The reader records these statements as traits.
const RECORDED_STATEMENTS = new Set([
  'syntax',
  'edition',
  'package',
  'import',
  'reserved',
  'extensions',
])

// Options that the reader records, or that do not change the data.
const OPTIONS = new Set([
  'allow_alias',
  'cc_enable_arenas',
  'cc_generic_services',
  'csharp_namespace',
  'ctype',
  'debug_redact',
  'deprecated',
  'deprecated_legacy_json_field_conflicts',
  'go_package',
  'java_generate_equals_and_hash',
  'java_generic_services',
  'java_multiple_files',
  'java_outer_classname',
  'java_package',
  'java_string_check_utf8',
  'json_name',
  'jstype',
  'lazy',
  'no_standard_descriptor_accessor',
  'objc_class_prefix',
  'optimize_for',
  'packed',
  'php_class_prefix',
  'php_generic_services',
  'php_metadata_namespace',
  'php_namespace',
  'proto3_optional',
  'py_generic_services',
  'retention',
  'ruby_package',
  'swift_prefix',
  'targets',
  'unverified_lazy',
  'weak',
])

/** Returns whether a reader records an option as a trait, or the option does not change the data. */
export function isHarmlessOption(name: string): boolean {
  return OPTIONS.has(name) || name === 'features' || name.startsWith('features.')
}

interface Block {
  /** The tokens before `{`. */
  head: Text[]
  statements: Text[]
  /** The number of open brackets before `{`; if above 0, the braces enclose the value of an option. */
  brackets: number
}

/** Writes a .proto text in canonical form: sorted statements without comments, white space and annotations. */
export function canonicalProtobuf(text: string): string {
  const all = splitTokens(text)
  const packagePrefix = findPackagePrefix(all)
  const blocks: Block[] = []
  let block: Block = { head: [], statements: [], brackets: 0 }
  let tokens: Text[] = []
  let brackets = 0
  const end = (): void => {
    const statement = toStatement(tokens)
    if (statement !== undefined) block.statements.push(statement)
    tokens = []
  }
  for (const token of all) {
    if (token === '{') {
      blocks.push(block)
      block = { head: tokens, statements: [], brackets }
      tokens = []
      brackets = 0
    } else if (token === '}' && blocks.length > 0) {
      end()
      const isValue = block.brackets > 0 || block.head[0] === 'option'
      // A method may end in `;` or in braces without options.
      const isEmpty = block.head[0] === 'rpc' && block.statements.length === 0
      const body = `{${block.statements.toSorted().join(' ')}}`
      tokens = isEmpty ? block.head : [...block.head, body]
      brackets = block.brackets
      block = blocks.pop() ?? block
      if (!isValue) end()
    } else if (token === ';' && brackets === 0) {
      end()
    } else {
      if (token === '[') brackets += 1
      if (token === ']') brackets = Math.max(0, brackets - 1)
      tokens.push(normalizeToken(token, packagePrefix))
    }
  }
  end()
  return block.statements.toSorted().join('\n')
}

function findPackagePrefix(tokens: readonly Text[]): string {
  const at = tokens.indexOf('package')
  return at === -1 ? '.' : `.${tokens[at + 1] ?? ''}.`
}

function normalizeToken(token: Text, packagePrefix: string): Text {
  if (token.startsWith("'") && !/["\\]/.test(token)) return `"${token.slice(1, -1)}"`
  if (/^0[xX][\da-fA-F]+$/.test(token)) return String(Number(token))
  if (!/^\.?[A-Za-z_]/.test(token)) return token
  const absolute = token.startsWith('.') ? token : `.${token}`
  return absolute.startsWith(packagePrefix)
    ? absolute.slice(packagePrefix.length)
    : absolute.slice(1)
}

function toStatement(tokens: readonly Text[]): Text | undefined {
  const [first = '', second = ''] = tokens
  if (first === '' || RECORDED_STATEMENTS.has(first)) return undefined
  if (first === 'option' && isHarmlessOption(second)) return undefined
  const [start, last] = [tokens.indexOf('['), tokens.lastIndexOf(']')]
  if (start === -1 || last < start) return `${tokens.join(' ')};`
  const options = splitOptions(tokens.slice(start + 1, last)).filter((option) => !isDropped(option))
  const list = options.map((option) => option.join(' ')).toSorted()
  const written = list.length === 0 ? [] : [`[${list.join(', ')}]`]
  return `${[...tokens.slice(0, start), ...written, ...tokens.slice(last + 1)].join(' ')};`
}

function splitOptions(tokens: readonly Text[]): Text[][] {
  const options: Text[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token === '[') depth += 1
    if (token === ']') depth -= 1
    if (token === ',' && depth === 0) options.push([])
    else options.at(-1)?.push(token)
  }
  return options
}

const ZEROS = new Set(['0', '0.0', 'false', '""'])

function isDropped([name = '', , value = '']: readonly Text[]): boolean {
  return isHarmlessOption(name) || (name === 'default' && ZEROS.has(value))
}
