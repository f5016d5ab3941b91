// Parses YAML text to a syntax tree. The parts of the library are called separately, so that a text that is too deep
// or too large, or has a second document, is rejected early: the library itself would continue to the end, or until
// the stack overflows.

import { Composer, type CST, type Document, Lexer, Parser, type YAMLError } from 'yaml'
import { Stop } from './problem.ts'
import { explainYamlError } from './yaml-messages.ts'
import { QuoteTracker } from './yaml-quotes.ts'

export type YamlDocument = Document.Parsed

// YAML 1.2 with the core schema, regardless of directives: no dates, no binary, no merge keys. The reader detects
// repeated fields, because the library compares all pairs of names.
const OPTIONS: ConstructorParameters<typeof Composer>[0] = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
}

// The maximum number of unfinished parts in the parser: a few for each level of nesting. The reader enforces the
// exact depth limit; this one only prevents a stack overflow.
const PARTS_MAX = 200

/** The maximum number of anchors, aliases and tags in a document: real documents have few, alias bombs have many. */
const MARKS_MAX = 1000

/** The maximum number of lines in a document: the library needs time and memory for empty ones too. */
const LINES_MAX = 500_000

/** Parses a text with one YAML document; throws a `Stop` at the first error. */
export function parseYaml(text: string, nodesMax: number): YamlDocument {
  rejectTooManyLines(text)
  const parser = new Parser()
  const quotes = new QuoteTracker(text)
  try {
    const [document] = documentsIn(text, parser, quotes, nodesMax)
    if (document !== undefined) return document
  } catch (error) {
    if (error instanceof Stop) throw quotes.relocate(error)
    // No text is known to make the library throw other errors, but it is third-party code.
    throw new Stop('malformed', parser.offset, 'The text cannot be parsed as YAML from about here.')
  }
  throw new Stop('malformed', 0, 'The body is empty; send a YAML document.')
}

function rejectTooManyLines(text: string): void {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1
    if (lines <= LINES_MAX) continue
    const message = `The document has more than ${LINES_MAX} lines; split it.`
    throw new Stop('unacceptable', at + 1, message)
  }
}

function documentsIn(
  text: string,
  parser: Parser,
  quotes: QuoteTracker,
  nodesMax: number,
): YamlDocument[] {
  const documents: YamlDocument[] = []
  const composer = newComposer()
  const guard = new Guard(nodesMax)
  for (const lexeme of new Lexer().lex(text)) {
    quotes.note(lexeme, parser.offset)
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error')
        throw new Stop('malformed', token.offset, explainYamlError(undefined, token.message))
      releaseOnceRead(token)
      for (const document of composer.next(token))
        documents.push(checkDocument(document, documents))
    }
    guard.check(lexeme, parser)
  }
  for (const token of parser.end()) {
    releaseOnceRead(token)
    for (const document of composer.next(token)) documents.push(checkDocument(document, documents))
  }
  for (const document of composer.end()) documents.push(checkDocument(document, documents))
  return documents
}

// The tokens take twice the memory of the tree that is created from them. Each item of a block is released after it
// was read, so that both are not in memory at the same time.
function releaseOnceRead(token: CST.Token | null | undefined): void {
  if (token?.type === 'document') return releaseOnceRead(token.value)
  if (token?.type !== 'block-map' && token?.type !== 'block-seq') return
  for (const { value } of token.items) releaseOnceRead(value)
  Object.assign(token, { items: releasing<unknown>(token.items) })
}

function* releasing<Item>(items: Item[]): Generator<Item> {
  items.reverse()
  for (let item = items.pop(); item !== undefined; item = items.pop()) yield item
}

// The library collects every error, at more than a kilobyte each. Only the first one is reported, so it aborts
// parsing. The library catches errors that are thrown inside a collection and reports them again.
function newComposer(): Composer {
  const composer = new Composer(OPTIONS)
  const collect: unknown = Reflect.get(composer, 'onError')
  if (typeof collect !== 'function')
    throw new TypeError('this version of yaml has no Composer.onError')
  let firstError: Stop | undefined
  let hasWarning = false
  const onError: ErrorHandler = (source, code, message, isWarning) => {
    if (isWarning !== true) {
      throw (firstError ??= new Stop(
        'malformed',
        getStart(source),
        explainYamlError(code, message),
      ))
    }
    if (!hasWarning) Reflect.apply(collect, composer, [source, code, message, true])
    hasWarning = true
  }
  return Object.assign(composer, { onError })
}

type ErrorSource = number | readonly [number, number?] | { offset: number }

type ErrorHandler = (
  source: ErrorSource,
  code: YAMLError['code'],
  message: string,
  isWarning?: boolean,
) => void

function getStart(source: ErrorSource): number {
  if (typeof source === 'number') return source
  return 'offset' in source ? source.offset : source[0]
}

// Counts while the text is still being tokenized, so that rejecting a text over the limits is fast.
class Guard {
  readonly #nodesMax: number
  #scalars = 0
  #colons = 0
  #items = 0
  #commas = 0
  #keys = 0
  #marks = 0
  #isScalarNext = false

  constructor(nodesMax: number) {
    this.#nodesMax = nodesMax
  }

  check(lexeme: string, parser: Parser): void {
    this.#count(lexeme)
    if (this.#valuesAtLeast() > this.#nodesMax) {
      const message = `The document has more than ${this.#nodesMax} values; split it.`
      throw new Stop('unacceptable', parser.offset, message)
    }
    if (this.#marks > MARKS_MAX) {
      const message = `The document has more than ${MARKS_MAX} anchors, aliases and tags; write out the values.`
      throw new Stop('unacceptable', parser.offset, message)
    }
    if (parser.stack.length > PARTS_MAX) {
      const message = 'Objects and lists are nested too deep here; flatten them.'
      throw new Stop('unacceptable', parser.offset, message)
    }
  }

  // Each field has one name, followed by a colon; every other scalar is a value. Fields and items have values even if
  // they are empty, and so do explicit keys ("?") and positions between commas.
  #valuesAtLeast(): number {
    const written = this.#scalars - this.#colons
    return Math.max(written, this.#colons + this.#items, this.#keys, this.#commas)
  }

  #count(lexeme: string): void {
    const isScalar = this.#isScalarNext
    this.#isScalarNext = lexeme === '\x1f'
    if (isScalar) return
    const first = lexeme[0]
    if (first === '\x1f' || first === '"' || first === "'") this.#scalars += 1
    else if (first === '&' || first === '*' || first === '!') this.#marks += 1
    else if (lexeme === ':') this.#colons += 1
    else if (lexeme === '-') this.#items += 1
    else if (lexeme === ',') this.#commas += 1
    else if (lexeme === '?') this.#keys += 1
  }
}

function checkDocument(document: YamlDocument, earlier: readonly YamlDocument[]): YamlDocument {
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem !== undefined) {
    throw new Stop('malformed', problem.pos[0], explainYamlError(problem.code, problem.message))
  }
  if (earlier.length > 0) {
    const message = 'A second document begins here; send one document at a time.'
    throw new Stop('malformed', document.range[0], message)
  }
  return document
}
