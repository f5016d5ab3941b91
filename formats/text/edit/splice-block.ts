import type { Value } from '../value.ts'
import { predecessor } from './splice-flow.ts'
import type { NewMember, Splice } from './placed-text.ts'
import type { Member, Spot } from './spot.ts'
import { afterColon, afterDash, fieldLines } from './yaml-piece.ts'

/** Writes another value for a member of lines of YAML. */
export function replaceInBlock(text: string, parent: Spot, member: Member, value: Value): Splice {
  const indent = indentOf(text, parent, member)
  const { start, end, style } = member.value
  const tail = end > start && text[end - 1] === '\n' ? '\n' : ''
  const hasComment = tail === '' && text.slice(end, endOfLine(text, end)).includes('#')
  const lines = parent.isList ? afterDash(value, indent) : afterColon(value, indent)
  // A block scalar cannot be followed by a comment, so the value is quoted on one line.
  const isInQuotes = hasComment && typeof value === 'string' && lines.includes('\n')
  const written = isInQuotes ? ` ${JSON.stringify(value)}` : lines
  const isPlain = !written.includes('\n') && style === 'scalar'
  // An anchor or tag between the name and a single value is kept.
  const isAtName = style === 'block' && !parent.isList
  const keepsLead =
    start < end && !isAtName && (isPlain || parent.isList || !written.startsWith('\n'))
  const from = keepsLead ? start : Math.min(start, colonBehind(text, member))
  const insert = keepsLead && !written.startsWith('\n') ? written.trimStart() : written
  const isLast = end === text.length && written.includes('\n')
  const requoted =
    keepsLead && isPlain ? inSameQuotes(text.slice(start, end), value, insert) : insert
  return { from, to: end, insert: asLines(text, requoted + (tail || (isLast ? '\n' : ''))) }
}

/** Adds a field or an item to lines of YAML. */
export function addToBlock(text: string, spot: Spot, added: NewMember): Splice | undefined {
  const [first] = spot.members
  if (first === undefined) return undefined
  const indent = indentOf(text, spot, first)
  const { name, value } = added
  const written =
    name === undefined ? `-${afterDash(value, indent)}` : fieldLines(name, value, indent)
  const before = predecessor(spot.members, added)
  if (before === undefined) {
    return { from: first.start, to: first.start, insert: asLines(text, `${written}\n${indent}`) }
  }
  const { end } = before.value
  if (text[end - 1] === '\n') {
    return { from: end, to: end, insert: asLines(text, `${indent}${written}\n`) }
  }
  const at = endOfLine(text, end)
  const tail = at === text.length && written.includes('\n') ? '\n' : ''
  return { from: at, to: at, insert: asLines(text, `\n${indent}${written}${tail}`) }
}

/** Takes a field or an item, which is not the only one, out of lines of YAML. */
export function removeFromBlock(text: string, spot: Spot, member: Member): Splice {
  const start = spot.isList ? dashOf(text, member) : member.start
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const { end } = member.value
  const lineEnd = text[end - 1] === '\n' && end > start ? end : nextLine(text, end)
  if (text.slice(lineStart, start).trim() === '')
    return { from: lineStart, to: lineEnd, insert: '' }
  // The first field of a list item shares its line with the dash, which the next field takes over.
  const next = spot.members[spot.members.indexOf(member) + 1]
  if (next === undefined) return { from: start, to: end, insert: '' }
  const hasComment = text.slice(end, next.start).includes('#')
  if (hasComment) return { from: start, to: endOfLine(text, end), insert: '' }
  return { from: member.start, to: next.start, insert: '' }
}

// The indentation of the names or dashes of one object or list.
function indentOf(text: string, parent: Spot, member: Member): string {
  const start = parent.isList ? dashOf(text, member) : member.start
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
}

function dashOf(text: string, member: Member): number {
  return text.lastIndexOf('-', member.start - 1)
}

function colonBehind(text: string, { nameEnd }: Member): number {
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

// A text that its author has put in quotes keeps them.
function inSameQuotes(old: string, value: Value, written: string): string {
  // Quotes around nothing were only there to have something.
  if (typeof value !== 'string' || old.length <= 2) return written
  if (old.startsWith('"')) return written.startsWith('"') ? written : JSON.stringify(value)
  const isSingle = old.startsWith("'") && !/[\n\p{C}]/u.test(value)
  return isSingle ? `'${value.replaceAll("'", "''")}'` : written
}

function asLines(text: string, written: string): string {
  return text.includes('\r\n') ? written.replaceAll(/\r?\n/g, '\r\n') : written
}
