// Sections of migration scripts.

// Migration tools keep the way back in the same file, below such a comment.
const SECTION = /^[ \t]*--[ \t]*(?:\/\/[ \t]*@|\+goose[ \t]|\+migrate[ \t]|migrate:)[ \t]*(\w+)/gim

/** Blanks out the sections of a migration that undo it; offsets stay the same. */
export function withoutDownSections(text: string): string {
  if (!/--[ \t]*(?:\/\/|\+|migrate:)/.test(text)) return text
  const parts: string[] = []
  let from = 0
  let isDown = false
  for (const match of text.matchAll(SECTION)) {
    const part = text.slice(from, match.index)
    parts.push(isDown ? ' '.repeat(part.length) : part)
    from = match.index
    const section = match[1]?.toLowerCase()
    if (section === 'down' || section === 'undo') isDown = true
    else if (section === 'up') isDown = false
  }
  const rest = text.slice(from)
  parts.push(isDown ? ' '.repeat(rest.length) : rest)
  return parts.join('')
}
