// Groups of proto2, a message and a field in one declaration. The parser does not support them in oneofs, with options,
// or with all that a message may contain, so they are rewritten to a message and a field with the same encoding:
// `optional group Line = 1 { … }` becomes `optional Line line = 1 [features.message_encoding = DELIMITED]; message
// Line { … }`. https://protobuf.dev/programming-guides/proto2/#groups

import { locateTokens, type Token } from './tokens.ts'

/** A text without groups, and the offset in the original text of an offset in it. */
interface Rewritten {
  text: string
  toOriginal: (offset: number) => number
}

/** A part of the original text from an offset on, or a text that replaces what begins there. */
interface Piece {
  text: string
  at: number
  isOriginal: boolean
}

type BlockKind = 'message' | 'oneof' | 'extend' | 'other'

// The parser rejects deeper texts.
const DEPTH_MAX = 100

/** Rewrites the groups of a proto2 text. */
export function rewriteGroups(text: string): Rewritten {
  if (!/\bgroup\b/.test(text)) return { text, toOriginal: (offset) => offset }
  const pieces = new GroupRewriter(text).rewrite()
  const toOriginal = (offset: number): number => {
    let start = 0
    for (const piece of pieces) {
      const end = start + piece.text.length
      if (offset < end) return piece.at + (piece.isOriginal ? offset - start : 0)
      start = end
    }
    return text.length
  }
  return { text: pieces.map((piece) => piece.text).join(''), toOriginal }
}

class GroupRewriter {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  // The end of the original text that is already in a piece.
  #copied = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = locateTokens(text)
  }

  rewrite(): Piece[] {
    const pieces: Piece[] = []
    while (this.#next < this.#tokens.length) this.#block('other', pieces, undefined, 0)
    this.#copyTo(this.#text.length, pieces)
    return pieces
  }

  // Reads a block to its closing brace. A message cannot be declared in a oneof or an `extend`; `behind` collects those.
  #block(kind: BlockKind, pieces: Piece[], behind: Piece[] | undefined, depth: number): void {
    let first: string | undefined
    for (let token = this.#take(); token !== undefined; token = this.#take()) {
      const { text } = token
      if (text === '}') return
      if (text === '{') this.#inner(toKind(first), pieces, depth)
      else if (text === 'group' && this.#isGroup(kind)) {
        this.#group(token, pieces, behind ?? pieces, depth)
      }
      const isEnd = text === ';' || text === '{' || text === 'group'
      first = isEnd ? undefined : (first ?? text)
    }
  }

  #inner(kind: BlockKind, pieces: Piece[], depth: number): void {
    if (depth >= DEPTH_MAX) return
    const behind: Piece[] = []
    const isMessage = kind === 'message' || kind === 'other'
    this.#block(kind, pieces, isMessage ? undefined : behind, depth + 1)
    if (behind.length === 0) return
    this.#copyTo(this.#previousEnd(), pieces)
    pieces.push(...behind)
  }

  // `group` may also be the name of a field or type.
  #isGroup(kind: BlockKind): boolean {
    if (kind === 'other') return false
    const [name, equals, number] = this.#tokens.slice(this.#next, this.#next + 3)
    if (equals?.text !== '=' || !/^[A-Z]\w*$/.test(name?.text ?? '')) return false
    if (!/^\w+$/.test(number?.text ?? '')) return false
    const label = this.#tokens[this.#next - 2]?.text ?? ''
    const hasLabel = ['optional', 'required', 'repeated'].includes(label)
    if (!hasLabel && kind !== 'oneof') return false
    return this.#tokens[this.#endOfOptions(this.#next + 3)]?.text === '{'
  }

  // Returns the position of the token after options in brackets.
  #endOfOptions(start: number): number {
    if (this.#tokens[start]?.text !== '[') return start
    let at = start
    let open = 0
    do {
      const text = this.#tokens[at]?.text
      if (text === undefined) return at
      if (text === '[') open += 1
      if (text === ']') open -= 1
      at += 1
    } while (open > 0)
    return at
  }

  #group(group: Token, pieces: Piece[], target: Piece[], depth: number): void {
    const [name, , number] = this.#tokens.slice(this.#next, this.#next + 3)
    if (name === undefined || number === undefined) return
    const brace = this.#endOfOptions(this.#next + 3)
    const [open, last] = [this.#tokens[this.#next + 3], this.#tokens[brace - 1]]
    const options = open && last && open.at < last.at ? this.#text.slice(open.end, last.at) : ''
    this.#copyTo(group.at, pieces)
    const all = [options, 'features.message_encoding = DELIMITED'].filter((one) => /\S/.test(one))
    const field = `${name.text} ${name.text.toLowerCase()} = ${number.text} [${all.join(', ')}];`
    pieces.push({ text: field, at: group.at, isOriginal: false })
    target.push({ text: ` message ${name.text} `, at: name.at, isOriginal: false })
    this.#copied = this.#tokens[brace]?.at ?? this.#text.length
    this.#next = brace + 1
    if (depth < DEPTH_MAX) this.#block('message', target, undefined, depth + 1)
    this.#copyTo(this.#previousEnd(), target)
  }

  #take(): Token | undefined {
    const token = this.#tokens[this.#next]
    this.#next += 1
    return token
  }

  #previousEnd(): number {
    return this.#tokens[this.#next - 1]?.end ?? this.#text.length
  }

  #copyTo(end: number, pieces: Piece[]): void {
    if (end <= this.#copied) return
    const text = this.#text.slice(this.#copied, end)
    pieces.push({ text, at: this.#copied, isOriginal: true })
    this.#copied = end
  }
}

function toKind(first: string | undefined): BlockKind {
  return first === 'message' || first === 'oneof' || first === 'extend' ? first : 'other'
}
