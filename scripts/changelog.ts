/** The sections of CHANGELOG.md: one for each version, and `Unreleased` above them. */

const UNRELEASED = '## Unreleased\n'

/**
 * Makes the section of a version from the unreleased one, and leaves an empty unreleased section above it. Returns the
 * same text if the version has its section already. Errors: Error if nothing is unreleased.
 *
 * @param date the day of the release, `YYYY-MM-DD`
 */
export function cutChangelog(text: string, version: string, date: string): string {
  if (findSection(text, version) !== undefined) return text
  const at = text.indexOf(UNRELEASED)
  if (at === -1) throw new Error('CHANGELOG.md has no section "## Unreleased"')
  const rest = text.slice(at + UNRELEASED.length)
  const end = rest.search(/^## /m)
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim()
  if (notes === '') throw new Error('CHANGELOG.md: the section "## Unreleased" is empty')
  const former = end === -1 ? '' : `\n${rest.slice(end)}`
  return `${text.slice(0, at)}${UNRELEASED}\n## ${version} — ${date}\n\n${notes}\n${former}`
}

/** Returns the text below the heading of a version, or undefined if it has no section. */
export function findSection(text: string, version: string): string | undefined {
  const heading = `## ${version} — `
  const at = text.startsWith(heading) ? 0 : text.indexOf(`\n${heading}`)
  if (at === -1) return undefined
  const body = text.slice(text.indexOf('\n', at + 1) + 1)
  const end = body.search(/^## /m)
  return (end === -1 ? body : body.slice(0, end)).trim()
}
