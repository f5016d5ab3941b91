// Locates the characters of a text value in a YAML text. The value differs from the text by quotes, escapes,
// indentation and folded lines, so both are traversed together.

const BLANKS = /[ \t]+/y
const LINE_BREAKS = /\r?\n[ \t\r\n]*/y
const BLOCK_HEADER = /[|>][^\n]*\n?/y
const ESCAPE_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** A text value in the document: its start and end offsets, and its parsed value. */
interface WrittenText {
  start: number
  end: number
  value: string
}

/** Returns the offset in the document of each character (UTF-16 code unit) of a text value, and of its end. */
export function locateCharacters(text: string, written: WrittenText): Uint32Array {
  const first = text[written.start]
  const offsets = new Uint32Array(written.value.length + 1)
  if (first === '|' || first === '>') blockOffsets(text, written, offsets)
  else flowOffsets(text, written, offsets)
  return offsets
}

// Plain and quoted texts: one line break is a space, several are line feeds, and white space around them is ignored.
function flowOffsets(text: string, { start, end, value }: WrittenText, offsets: Uint32Array): void {
  const quote = text[start] === '"' || text[start] === "'" ? text[start] : ''
  const last = quote === '' ? end : end - 1
  let at = start + quote.length
  let count = 0
  const put = (offset: number, units: number): void => {
    for (let unit = 0; unit < units; unit += 1) offsets[count + unit] = offset
    count += units
  }
  while (at < last && count < value.length) {
    const blanks = matchAt(BLANKS, text, at).length
    const breaks = matchAt(LINE_BREAKS, text, at + blanks)
    if (breaks !== '') {
      putBreaks(breaks, at + blanks, put)
      at += blanks + breaks.length
    } else if (blanks > 0) {
      for (let blank = 0; blank < blanks; blank += 1) put(at + blank, 1)
      at += blanks
    } else if (quote === '"' && text[at] === '\\') {
      const { length, units } = escapeAt(text, at)
      put(at, units)
      at += length
    } else {
      put(at, 1)
      at += quote === "'" && text[at] === "'" ? 2 : 1
    }
  }
  offsets.fill(last, count)
}

// One line break is a space, n line breaks are n - 1 line feeds.
function putBreaks(breaks: string, at: number, put: (at: number, units: number) => void): void {
  const first = breaks.indexOf('\n')
  let next = breaks.indexOf('\n', first + 1)
  if (next === -1) put(at + first, 1)
  for (; next !== -1; next = breaks.indexOf('\n', next + 1)) put(at + next, 1)
}

// Returns the length of an escape, and the number of its code units: an escaped line break, with the white space of
// the next line, has none.
function escapeAt(text: string, at: number): { length: number; units: number } {
  const kind = text[at + 1] ?? ''
  if (kind === '\n' || (kind === '\r' && text[at + 2] === '\n')) {
    const next = at + (kind === '\n' ? 2 : 3)
    return { length: next - at + matchAt(BLANKS, text, next).length, units: 0 }
  }
  const digits = ESCAPE_DIGITS.get(kind) ?? 0
  const code = digits === 8 ? Number.parseInt(text.slice(at + 2, at + 10), 16) : 0
  return { length: 2 + digits, units: code > 0xffff ? 2 : 1 }
}

// Block texts contain every character unchanged; only white space may be longer in the text than in the value. So the
// other characters are found in sequence, and the white space between two of them is matched from its end, because
// indentation comes first.
function blockOffsets(
  text: string,
  { start, end, value }: WrittenText,
  offsets: Uint32Array,
): void {
  let at = start + matchAt(BLOCK_HEADER, text, start).length
  let from = 0
  while (from < value.length) {
    let next = from
    while (next < value.length && isSpace(value, next)) next += 1
    let place = at
    while (place < end && isSpace(text, place)) place += 1
    if (next === value.length) break
    let back = place - 1
    for (let space = next - 1; space >= from; space -= 1) {
      while (back > at && text[back] !== value[space]) back -= 1
      offsets[space] = Math.max(back, at)
      back -= 1
    }
    offsets[next] = place
    at = place + 1
    from = next + 1
  }
  for (; from < value.length; from += 1) {
    while (at < end - 1 && text[at] !== value[from]) at += 1
    offsets[from] = at
    at = Math.min(at + 1, end)
  }
  offsets[value.length] = end
}

function isSpace(text: string, at: number): boolean {
  const char = text[at]
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
