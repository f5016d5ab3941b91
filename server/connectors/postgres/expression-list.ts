/**
 * Splits PostgreSQL's text of a list of SQL expressions at the commas outside of brackets, literals
 * ('…') and quoted names ("…").
 */
export function splitExpressions(list: string): string[] {
  const expressions: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < list.length; at += 1) {
    const character = list.charAt(at)
    // A doubled quote closes and opens again, which has the same result.
    if (character === "'" || character === '"') at = endOfQuoted(list, at)
    else if ('(['.includes(character)) depth += 1
    else if (')]'.includes(character)) depth -= 1
    else if (character === ',' && depth === 0) {
      expressions.push(list.slice(start, at).trim())
      start = at + 1
    }
  }
  const last = list.slice(start).trim()
  return last === '' ? expressions : [...expressions, last]
}

function endOfQuoted(list: string, start: number): number {
  const end = list.indexOf(list.charAt(start), start + 1)
  return end === -1 ? list.length : end
}
