/**
 * The plain text of Markdown, for places where only a few lines are shown: results of search, cards and messages. It reads
 * the constructs of CommonMark that people use in descriptions, each in one pass, so that its time is linear.
 */

// The rest is never shown.
const CHARACTERS_MAX = 20_000

const FENCE = /^ {0,3}(`{3,}|~{3,})[^`]*$/
const RULE = /^ {0,3}([-*_=])(?: *\1){2,} *$/
const TABLE_RULE = /^ {0,3}\|?[ :]*-{2,}[-| :]*$/
const HEADING = /^ {0,3}#{1,6}(?: +|$)/
const QUOTE = /^ {0,3}> ?/
const BULLET = /^ *[-*+] +(?:\[[ xX]\] +)?/

/** Returns a text in Markdown as plain text in one line. Headings end with a full stop. */
export function toPlainText(markdown: string): string {
  const lines = markdown
    .slice(0, CHARACTERS_MAX)
    .toWellFormed()
    .split(/\r\n?|\n/)
  let isCode = false
  const texts: string[] = []
  for (const line of lines) {
    if (FENCE.test(line)) {
      isCode = !isCode
      continue
    }
    const text = isCode ? line : toPlainLine(line)
    if (text.trim() !== '') texts.push(text.trim())
  }
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim()
}

function toPlainLine(line: string): string {
  if (RULE.test(line) || (line.includes('|') && TABLE_RULE.test(line))) return ''
  let rest = line
  while (QUOTE.test(rest)) rest = rest.replace(QUOTE, '')
  if (HEADING.test(rest))
    return endSentence(toPlainInline(rest.replace(HEADING, '').replace(/ #+ *$/, '')))
  rest = rest.replace(BULLET, '')
  return toPlainInline(/^ *\|.*\| *$/.test(rest) ? toCells(rest) : rest)
}

function toCells(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(', ')
}

function endSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?:…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

// Code keeps its characters; everything else loses its marks.
function toPlainInline(text: string): string {
  return text
    .split(/(`+[^`]+`+)/)
    .map((piece, at) => (at % 2 === 1 ? piece.replaceAll('`', '') : withoutMarks(piece)))
    .join('')
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?: "[^"]{0,500}")?\)/g, '$1')
    .replaceAll(/\[([^[\]]{1,500})\]\[[^[\]]{0,200}\]/g, '$1')
    .replaceAll(/<(https?:\/\/[^<>\s]{1,2000})>/g, '$1')
    .replaceAll(/(?<!\\)(\*{1,3})(?=\S)([^*]{0,999}[^*\s])\1/g, '$2')
    .replaceAll(
      /(?<![\p{L}\p{N}_\\])(_{1,3})(?=[^\s_])([^_]{0,999}[^\s_])\1(?![\p{L}\p{N}_])/gu,
      '$2',
    )
    .replaceAll(/(?<!\\)~~(?=\S)([^~]{0,999}\S)~~/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
}
