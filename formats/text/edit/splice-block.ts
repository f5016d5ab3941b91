import type { Value } from '../value.ts'
import { predecessor } from './splice-flow.ts'
import type { NewMember, Splice } from './placed-text.ts'
import type { CstMember, CstNode } from '../spot.ts'
import { afterColon, afterDash, fieldLines } from './yaml-piece.ts'

/** Replaces the value of a member in block-style YAML. */
export function replaceInBlock(
  text: string,
  parent: CstNode,
  member: CstMember,
  value: Value,
): Splice {
  const indent = getIndent(text, parent, member)
  const { start, end, style } = member.value
  const tail = end > start && text[end - 1] === '\n' ? '\n' : ''
  const hasComment = tail === '' && text.slice(end, endOfLine(text, end)).includes('#')
  const lines = parent.isList ? afterDash(value, indent) : afterColon(value, indent)
  // A comment cannot follow the last line of a multi-line text; in quotes it is one line.
  const isInQuotes = hasComment && typeof value === 'string' && lines.includes('\n')
  const written = isInQuotes ? ` ${JSON.stringify(value)}` : lines
  const isPlain = !written.includes('\n') && style === 'scalar'
  // Text between the name and a scalar, such as an anchor, is preserved.
  const isAtName = style === 'block' && !parent.isList
  const keepsLead =
    start < end && !isAtName && (isPlain || parent.isList || !written.startsWith('\n'))
  const from = keepsLead ? start : Math.min(start, colonBehind(text, member))
  const insert = keepsLead && !written.startsWith('\n') ? written.trimStart() : written
  const isLast = end === text.length && written.includes('\n')
  const requoted =
    keepsLead && isPlain ? inSameQuotes(text.slice(start, end), value, insert) : insert
  return { from, to: end, insert: toLines(text, requoted + (tail || (isLast ? '\n' : ''))) }
}

/** Adds a field or an item to block-style YAML. */
export function addToBlock(text: string, spot: CstNode, added: NewMember): Splice | undefined {
  const [first] = spot.members
  if (first === undefined) return undefined
  const indent = getIndent(text, spot, first)
  const { name, value } = added
  const written =
    name === undefined ? `-${afterDash(value, indent)}` : fieldLines(name, value, indent)
  const before = predecessor(spot.members, added)
  if (before === undefined) {
    return { from: first.start, to: first.start, insert: toLines(text, `${written}\n${indent}`) }
  }
  const { end } = before.value
  if (text[end - 1] === '\n') {
    return { from: end, to: end, insert: toLines(text, `${indent}${written}\n`) }
  }
  const at = endOfLine(text, end)
  const tail = at === text.length && written.includes('\n') ? '\n' : ''
  return { from: at, to: at, insert: toLines(text, `\n${indent}${written}${tail}`) }
}

/** Removes a field or an item, which is not the only one, from block-style YAML. */
export function removeFromBlock(text: string, spot: CstNode, member: CstMember): Splice {
  const start = spot.isList ? findDash(text, member) : member.start
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const { end } = member.value
  const lineEnd = text[end - 1] === '\n' && end > start ? end : nextLine(text, end)
  if (text.slice(lineStart, start).trim() === '')
    return { from: lineStart, to: lineEnd, insert: '' }
  // It is on the line of a list's dash, which the next member then follows.
  const next = spot.members[spot.members.indexOf(member) + 1]
  if (next === undefined) return { from: start, to: end, insert: '' }
  const hasComment = text.slice(end, next.start).includes('#')
  if (hasComment) return { from: start, to: endOfLine(text, end), insert: '' }
  return { from: member.start, to: next.start, insert: '' }
}

// The indentation of the names or dashes of an object or list.
function getIndent(text: string, parent: CstNode, member: CstMember): string {
  const start = parent.isList ? findDash(text, member) : member.start
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
}

function findDash(text: string, member: CstMember): number {
  return text.lastIndexOf('-', member.start - 1)
}

function colonBehind(text: string, { nameEnd }: CstMember): number {
  return text.indexOf(':', nameEnd) + 1
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  if (at === -1) return text.length
  return text[at - 1] === '\r' ? at - 1 : at
}

function nextLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at + 1
}

// A text that its author quoted stays quoted.
function inSameQuotes(old: string, value: Value, written: string): string {
  // Quotes around an empty text are only there to make it a text.
  if (typeof value !== 'string' || old.length <= 2) return written
  if (old.startsWith('"')) return written.startsWith('"') ? written : JSON.stringify(value)
  const isSingle = old.startsWith("'") && !/[\n\p{C}]/u.test(value)
  return isSingle ? `'${value.replaceAll("'", "''")}'` : written
}

function toLines(text: string, written: string): string {
  return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written
}
