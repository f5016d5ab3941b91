import { pathOfUse } from '../paths.ts'
import type { components } from './openapi.ts'

/** The uses of a thing that are visible to the reader. */
export interface ProblemUses {
  uses: readonly LinkedUse[]
  /** Counts the uses that are not listed; empty = all are. */
  rest: string
  /** The readers of the thing, which prevent nothing. */
  readers: readonly LinkedUse[]
}

/** Something that uses a thing, with its page; undefined = it has none. */
interface LinkedUse {
  name: string
  href: string | undefined
  /** A clause after the name: `has access to output port orders`. */
  relation: string
}

type Answer = Partial<
  Pick<components['schemas']['Problem'], 'uses' | 'useCount' | 'hiddenUseCount' | 'readers'>
>

/** Returns the uses that an answer carries; undefined = it carries none. */
export function toUses({
  uses,
  useCount = 0,
  hiddenUseCount = 0,
  readers = [],
}: Answer): ProblemUses | undefined {
  if (uses === undefined) return undefined
  const listed = uses.length
  const rest = describeRest(listed, useCount - hiddenUseCount - listed, hiddenUseCount)
  return { uses: uses.map(toLinked), rest, readers: readers.map(toLinked) }
}

function toLinked(use: NonNullable<Answer['uses']>[number]): LinkedUse {
  return { name: use.name, href: pathOfUse(use), relation: use.relation }
}

function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function describeRest(listed: number, more: number, hidden: number): string {
  const isFirst = listed === 0
  const visible = more > 0 ? countText(more, isFirst ? 'use' : 'other') : ''
  const noun = isFirst && more <= 0 ? 'use' : 'other'
  const verb = hidden === 1 ? 'is' : 'are'
  const unseen = hidden > 0 ? `${countText(hidden, noun)} that ${verb} not visible to you` : ''
  const counted = [visible, unseen].filter((text) => text !== '').join(', and ')
  return isFirst || counted === '' ? counted : `and ${counted}`
}
