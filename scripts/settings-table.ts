/** The settings as README lists them: the only place that describes them. */

/** A setting: a row of README's table, or one of several of a row. */
export interface ListedSetting {
  name: string
  /** In words, with code in backticks; undefined = none. */
  defaultText: string | undefined
  /** A sentence. */
  meaning: string
}

const HEADING = '## Settings'
const ROW = /^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \| (.+?) \| (.+) \|$/gm
// `, ([more](guide.md))` and other links, of which the text stays.
const MORE = / \(\[more\]\([^)]*\)\)/g
const LINK = /\[([^\]]+)\]\([^)]*\)/g

/** Lists the settings of README's table. Throws if there is none. */
export function listSettings(readme: string): ListedSetting[] {
  const start = readme.indexOf(HEADING)
  if (start === -1) throw new Error(`README has no section "${HEADING}"`)
  const section = readme.slice(start, readme.indexOf('\n## ', start + HEADING.length))
  return [...section.matchAll(ROW)].flatMap(([, names = '', defaults = '', meaning = '']) => {
    const each = names.split(', ')
    const values = defaults.split(', ')
    return each.map((name, index) => ({
      name: name.replaceAll('`', ''),
      defaultText: toDefault(values.length === each.length ? values[index] : defaults),
      meaning: toSentence(meaning),
    }))
  })
}

function toDefault(text: string | undefined): string | undefined {
  return text === undefined || text === '–' || text === 'none' ? undefined : text
}

function toSentence(text: string): string {
  const plain = text.replaceAll(MORE, '').replaceAll(LINK, '$1')
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`
}
