/** Finds the places in source files that the rules about files, names and comments concern. */

import { packageImports, product, type Codebase } from './code-rules.ts'
import type { SourceFile, Token } from './source-file.ts'

// The time "as of" an instant, and the words of JSON Schema.
const allowedRelations = /^asOf$|AsOf$|^(all|any|one)Of$|OneOf$/
const adverbs = /^(again|also|besides|elsewhere|maybe|often|together)$/
const participle =
  /^(?!(?:bed|feed|need|seed|shed|speed)(?![a-z]))([a-z]+ed|found|given|gone|held|kept|known|left|lost|made|said|seen|sent|shown|taken|told|written)(?=$|(At|By|For|From|In|On|To|With)(?![a-z])|Among)/

type Table = NamedPlace & {
  readonly path: string
  /** Whether it is declared outside of functions. */
  readonly isConstant: boolean
  readonly isEmpty: boolean
}

/** Finds the object literals that are declared as records of any text, in the shipped packages. */
export function findTables(codebase: Codebase): Table[] {
  return Object.keys(packageImports)
    .flatMap((name) => product(codebase, name))
    .filter(({ path }) => path !== 'formats/name/table.ts')
    .flatMap(({ path, tokens }) => {
      let depth = 0
      return tokens.flatMap(({ kind, text, line }, at): Table[] => {
        if (kind === 'punctuation' && '{(['.includes(text)) depth += 1
        if (kind === 'punctuation' && '})]'.includes(text)) depth -= 1
        if (kind !== 'word' || !/^(const|let)$/.test(text) || tokens[at + 2]?.text !== ':')
          return []
        const declaration = tokens.slice(at + 3, at + 60).map((token) => token.text)
        const equals = declaration.findIndex(
          (one, index) => one === '=' && declaration[index + 1] !== '>',
        )
        const type = declaration.slice(0, equals).join('')
        if (!/^(Readonly<)?(Partial<)?Record<string,/.test(type)) return []
        if (declaration[equals + 1] !== '{') return []
        const name = tokens[at + 1]?.text ?? ''
        const isEmpty = declaration[equals + 2] === '}'
        return [{ path, name, line, isConstant: depth === 0, isEmpty }]
      })
    })
}

/** Counts the lines with code, without comments and blank lines. */
export function countCodeLines({ tokens, text }: SourceFile): number {
  const isBlank = text.split('\n').map((line) => line.trim() === '')
  const lines = new Set<number>()
  for (const { line, endLine } of tokens) {
    for (let at = line; at <= endLine; at += 1) if (!isBlank[at - 1]) lines.add(at)
  }
  return lines.size
}

type NamedPlace = { readonly name: string; readonly line: number }

/** Finds exported functions, including arrow functions; for overloads only the first. */
export function findExportedFunctions({ tokens }: SourceFile): NamedPlace[] {
  const exported = new Map<string, number>()
  const local = new Map<string, number>()
  let depth = 0
  tokens.forEach((token, index) => {
    if (token.kind === 'punctuation' && '{(['.includes(token.text)) depth += 1
    if (token.kind === 'punctuation' && '})]'.includes(token.text)) depth -= 1
    if (depth !== 0 || token.kind !== 'word') return
    const isExported = token.text === 'export'
    const name = functionNameAt(tokens, isExported ? index + 1 : index)
    const places = isExported ? exported : local
    if (name !== undefined && !places.has(name)) places.set(name, token.line)
    if (!isExported || tokens[index + 1]?.text !== '{') return
    const end = tokens.findIndex(({ text }, at) => at > index && text === '}')
    if (tokens[end + 1]?.text === 'from') return
    for (const { text } of tokens.slice(index + 2, end)) {
      const line = local.get(text)
      if (line !== undefined) exported.set(text, line)
    }
  })
  return [...exported].map(([name, line]) => ({ name, line }))
}

/** Lists exported functions, constants and variables; of a list of variables only the first. */
export function findExportedNames({ tokens }: SourceFile): NamedPlace[] {
  return tokens.flatMap(({ kind, text, line }, index) => {
    if (kind !== 'word' || text !== 'export') return []
    const words = tokens.slice(index + 1, index + 5).map((token) => token.text)
    const at = words.findIndex((word) => /^(function|const|let)$/.test(word))
    const name = words[at + 1] === '*' ? words[at + 2] : words[at + 1]
    return at === -1 || name === undefined || !/^[a-z]/.test(name) ? [] : [{ name, line }]
  })
}

/** Finds the names that files of a package export and that no other file imports, tests included. */
export function findUnusedExports(codebase: Codebase, name: string): string[] {
  const users = Map.groupBy(
    codebase.flatMap((file) => file.imports.map((imported) => ({ file, imported }))),
    ({ imported }) => imported.target,
  )
  return product(codebase, name).flatMap(({ path, tokens }) => {
    const imports = users.get(path) ?? []
    const names = new Set(imports.flatMap(({ imported }) => imported.names))
    // A file that imports everything, or at runtime, uses the names that it contains.
    const whole = imports.filter(({ imported }) => imported.names.length === 0)
    const words = new Set(whole.flatMap(({ file }) => file.tokens.map(({ text }) => text)))
    return findAllExports(tokens)
      .filter((one) => !names.has(one.name) && !words.has(one.name))
      .map((one) => `${path}:${one.line} ${one.name}`)
  })
}

function findAllExports(tokens: readonly Token[]): NamedPlace[] {
  return tokens.flatMap(({ kind, text, line }, index) => {
    if (kind !== 'word' || text !== 'export') return []
    const words = tokens.slice(index + 1, index + 5).map((token) => token.text)
    const at = words.findIndex((word) => /^(function|const|let|class|interface|type)$/.test(word))
    const name = words.slice(at + 1).find((word) => word !== '*')
    return at === -1 || name === undefined || !/^[\w$]+$/.test(name) ? [] : [{ name, line }]
  })
}

/** Lists the names of types that several files declare and export. */
export function findTypeNamesUsedTwice(files: Codebase): string[] {
  const declarations = files.flatMap(({ path, tokens }) =>
    tokens.flatMap(({ text }, index) => {
      if (text !== 'export') return []
      const [keyword, name] = tokens
        .slice(index + 1, index + 4)
        .map((token) => token.text)
        .filter((word) => word !== 'abstract' && word !== 'declare')
      const isType = /^(interface|type|class)$/.test(keyword ?? '') && /^\w+$/.test(name ?? '')
      return isType ? [{ name: name ?? '', path }] : []
    }),
  )
  return [...Map.groupBy(declarations, ({ name }) => name)]
    .map(([name, found]) => ({ name, paths: new Set(found.map(({ path }) => path)) }))
    .filter(({ paths }) => paths.size > 1)
    .map(({ name, paths }) => `${name} is declared in ${[...paths].join(', ')}`)
}

/** Returns whether a name is a relation, a participle or an adverb. */
export function isMisnamed(name: string): boolean {
  return isRelation(name) || adverbs.test(name) || participle.test(name)
}

/** Returns whether a name is one of a relation, such as `colorOf`. */
export function isRelation(name: string): boolean {
  return /^#?[a-z]\w*[a-z]Of$/.test(name) && !allowedRelations.test(name)
}

/** Returns whether a token is the name in a function, a constant, or a private method. */
export function isDeclaredAt(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? ''
  if (/^(function|const|\*)$/.test(before)) return true
  return tokens[at]?.text.startsWith('#') === true && before !== '.'
}

/** Returns the name of the function declared at a token after `export`; undefined if there is none. */
function functionNameAt(tokens: readonly Token[], start: number): string | undefined {
  const texts = tokens.slice(start, start + 60).map(({ text }) => text)
  const declaration = texts.slice(0, 5).join(' ')
  const named = /^(?:default )?(?:async )?function (?:\* )?([\p{ID_Start}$_][\w$]*)?/u.exec(
    declaration,
  )
  if (named) return named[1] ?? 'default'
  const [keyword, name] = texts
  if (keyword !== 'const' || texts[2] !== '=') return undefined
  const value = texts[3] === 'async' ? 4 : 3
  if (texts[value] === 'function' || texts[value] === '<') return name
  if (texts[value + 1] === '=' && texts[value + 2] === '>') return name
  if (texts[value] !== '(') return undefined
  let depth = 0
  for (let at = start + value; at < tokens.length; at += 1) {
    if (tokens[at]?.text === '(') depth += 1
    if (tokens[at]?.text === ')') depth -= 1
    if (depth > 0) continue
    const [next, then] = [tokens[at + 1]?.text, tokens[at + 2]?.text]
    return next === ':' || (next === '=' && then === '>') ? name : undefined
  }
  return undefined
}

/** Returns whether a docstring ends above a line. */
export function hasDocstring({ comments }: SourceFile, line: number): boolean {
  return comments.some(({ text, endLine }) => text.startsWith('/**') && endLine === line - 1)
}

/** Splits names into words: `teamId` to `team id`, `data_contract` to `data contract`. */
export function splitWords(line: string): string {
  return line.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[-_]/g, ' ')
}
