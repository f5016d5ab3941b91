import type { Path, Value } from '../value.ts'
import { addToBlock, removeFromBlock, replaceInBlock } from './splice-block.ts'
import { addToFlow, flowText, removeFromFlow } from './splice-flow.ts'
import type { NewMember, PlacedText, Splice } from './placed-text.ts'
import { spotAt, type CstMember, type CstNode } from '../spot.ts'
import { yamlName, yamlTop } from './yaml-piece.ts'

/** Replaces the value at a path; undefined = the path does not exist. */
export function replaceValue(placed: PlacedText, path: Path, value: Value): Splice | undefined {
  const target = memberAt(placed, path)
  if (target === undefined) return path.length === 0 ? replaceTop(placed, value) : undefined
  const { parent, member } = target
  if (parent.style === 'block') return replaceInBlock(placed.text, parent, member, value)
  const { start, end } = member.value
  return { from: start, to: end, insert: flowText(placed, start, value) }
}

/** Adds a field to the object, or an item to the list, at a path; undefined = the path does not exist. */
export function addMember(placed: PlacedText, path: Path, added: NewMember): Splice | undefined {
  const spot = spotAt(placed.top, path)
  if (spot === undefined || spot.style === 'scalar') return undefined
  if (spot.isList !== (added.name === undefined)) return undefined
  // Empty brackets have no layout to preserve, so YAML gets block style instead.
  if (placed.mediaType === 'application/yaml' && spot.members.length === 0) {
    const whole = added.name === undefined ? [added.value] : { [added.name]: added.value }
    return replaceValue(placed, path, whole)
  }
  if (spot.style === 'flow') return addToFlow(placed, spot, added)
  return addToBlock(placed.text, spot, added)
}

/** Removes the field or item at a path; undefined = the path does not exist. */
export function removeMember(placed: PlacedText, path: Path): Splice | undefined {
  const target = memberAt(placed, path)
  if (target === undefined) return undefined
  const { parent, member } = target
  if (parent.style === 'flow') return removeFromFlow(parent, member)
  if (parent.members.length > 1) return removeFromBlock(placed.text, parent, member)
  return replaceValue(placed, path.slice(0, -1), parent.isList ? [] : {})
}

/** Renames the field at a path; undefined = the path does not exist. */
export function renameMember(placed: PlacedText, path: Path, name: string): Splice | undefined {
  const target = memberAt(placed, path)
  if (target === undefined || target.parent.isList) return undefined
  const { parent, member } = target
  const insert = parent.style === 'flow' ? JSON.stringify(name) : yamlName(name)
  return { from: member.start, to: member.nameEnd, insert }
}

function replaceTop({ text, mediaType, top }: PlacedText, value: Value): Splice {
  const { start, end } = top
  const insert =
    mediaType === 'application/json'
      ? flowText({ text, mediaType, top }, start, value)
      : yamlTop(value)
  return { from: start, to: end, insert }
}

function memberAt(
  { top }: PlacedText,
  path: Path,
): { parent: CstNode; member: CstMember } | undefined {
  const last = path.at(-1)
  const parent = spotAt(top, path.slice(0, -1))
  const member = parent?.members.find(({ name }) => name === last)
  return parent === undefined || member === undefined ? undefined : { parent, member }
}
