// Estimates the time of parsing Protobuf. The parser compares each field of a message with all others, so a
// message with many thousand fields would take seconds.

/** The squares of the numbers of fields of all messages may together be this: 2,000 fields in one message. */
const COST_MAX = 4_000_000

/** Gives the offset at which a .proto text becomes too much to parse; undefined when it is not. */
export function tooMuchAt(text: string): number | undefined {
  const counts = [0]
  const areOneofs = [false]
  let cost = 0
  let statement = 0
  const token = /\/\/|\/\*|["';{}]/g
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [mark] = match
    const top = counts.length - 1
    if (mark === ';' || mark === '}') {
      // One more statement in this block makes the square larger by this much.
      const count = (counts[top] ?? 0) + 1
      counts[top] = count
      cost += 2 * count
      statement = token.lastIndex
      if (cost > COST_MAX) return match.index
    }
    if (mark === '{') {
      areOneofs.push(/\boneof\b/.test(text.slice(statement, match.index)))
      // The fields of a oneof are fields of the message around it.
      counts.push(areOneofs.at(-1) === true ? (counts[top] ?? 0) : 0)
      statement = token.lastIndex
    } else if (mark === '}' && top > 0) {
      const inner = counts.pop() ?? 0
      if (areOneofs.pop() === true) counts[top - 1] = inner
    } else if (mark !== ';' && mark !== '}') {
      const end = findEnd(text, mark, token.lastIndex)
      if (end === -1) return undefined
      token.lastIndex = end
    }
  }
  return undefined
}

/** Returns the offset after a comment or string that a mark opens; -1 when it has no end. */
export function findEnd(text: string, mark: string, start: number): number {
  if (mark === '//') return endBehind(text, '\n', start)
  if (mark === '/*') return endBehind(text, '*/', start)
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === mark) return at + 1
  }
  return -1
}

function endBehind(text: string, end: string, start: number): number {
  const at = text.indexOf(end, start)
  return at === -1 ? -1 : at + end.length
}
