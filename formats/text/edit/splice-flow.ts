import { jsonText, type Value } from '../value.ts'
import type { NewMember, PlacedText, Splice } from './placed-text.ts'
import type { CstMember, CstNode } from '../spot.ts'

/** Writes a value as JSON, in the layout of the surrounding text. */
export function flowText({ text, mediaType }: PlacedText, at: number, value: Value): string {
  const isOneLine = mediaType === 'application/yaml' || !text.includes('\n')
  if (isOneLine) return jsonText(value)
  const indent = indentOfLine(text, at)
  return JSON.stringify(value, null, getIndentUnit(text)).replaceAll('\n', `\n${indent}`)
}

/** Adds a member to an object or list in brackets. */
export function addToFlow(placed: PlacedText, spot: CstNode, added: NewMember): Splice {
  const { text } = placed
  const [first] = spot.members
  if (first === undefined) return fillFlow(placed, spot, added)
  const isLines = text.slice(spot.start, first.start).includes('\n')
  const indent = isLines ? indentOfLine(text, first.start) : ''
  const written = memberText(placed, first.start, added)
  const between = isLines ? `,\n${indent}` : text.slice(spot.start).includes(', ') ? ', ' : ','
  const before = predecessor(spot.members, added)
  if (before === undefined) {
    return { from: first.start, to: first.start, insert: `${written}${between}` }
  }
  return { from: before.value.end, to: before.value.end, insert: `${between}${written}` }
}

/** Removes a member from an object or list in brackets, with the comma that separates it from the next. */
export function removeFromFlow(spot: CstNode, member: CstMember): Splice {
  const at = spot.members.indexOf(member)
  const before = spot.members[at - 1]
  const after = spot.members[at + 1]
  if (before !== undefined) return { from: before.value.end, to: member.value.end, insert: '' }
  if (after !== undefined) return { from: member.start, to: after.start, insert: '' }
  return { from: spot.start + 1, to: spot.end - 1, insert: '' }
}

/**
 * Returns the member after which a new one belongs: by the customary order of fields, otherwise the last. Undefined =
 * before all others.
 */
export function predecessor(
  members: readonly CstMember[],
  { name, order }: Pick<NewMember, 'name' | 'order'>,
): CstMember | undefined {
  const place = name === undefined ? -1 : order.indexOf(name)
  if (place === -1) return members.at(-1)
  const getRank = (member: CstMember): number => order.indexOf(String(member.name))
  const earlier = members.filter((member) => getRank(member) !== -1 && getRank(member) < place)
  const nearest = earlier.toSorted((a, b) => getRank(a) - getRank(b)).at(-1)
  if (nearest !== undefined) return nearest
  const isFirstKnown = members.some((member) => getRank(member) > place)
  return isFirstKnown ? undefined : members.at(-1)
}

function fillFlow(placed: PlacedText, spot: CstNode, added: NewMember): Splice {
  const { text } = placed
  const [from, to] = [spot.start + 1, spot.end - 1]
  if (!text.includes('\n')) return { from, to, insert: memberText(placed, spot.start, added) }
  const outer = indentOfLine(text, spot.start)
  const inner = outer + getIndentUnit(text)
  const written = memberText(placed, spot.start, added).replaceAll('\n', `\n${getIndentUnit(text)}`)
  return { from, to, insert: `\n${inner}${written}\n${outer}` }
}

function memberText(placed: PlacedText, at: number, { name, value }: NewMember): string {
  const written = flowText(placed, at, value)
  if (name === undefined) return written
  const colon = placed.mediaType === 'application/yaml' || /":\s/.test(placed.text) ? ': ' : ':'
  const isSpaced = placed.text.includes('\n') || colon === ': '
  return `${JSON.stringify(name)}${isSpaced ? ': ' : ':'}${written}`
}

function indentOfLine(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, at))?.[0] ?? ''
}

// The indentation unit, taken from the first nested line of the text.
function getIndentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}
