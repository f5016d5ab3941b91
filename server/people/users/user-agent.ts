/**
 * Names of browsers and devices in words, from the descriptions that browsers send of themselves (User-Agent). It names
 * the kinds that people use; programs and unusual browsers have the text before the first slash.
 */

interface Pattern {
  name: string
  pattern: RegExp
}

// The first match counts: most browsers name the ones that they are compatible with, too. The version is the first group.
const BROWSERS: readonly Pattern[] = [
  { name: 'Edge', pattern: /\bEdg(?:e|A|iOS)?\/(\d+)/ },
  { name: 'Opera', pattern: /\bOPR\/(\d+)/ },
  { name: 'Samsung Internet', pattern: /\bSamsungBrowser\/(\d+)/ },
  { name: 'Vivaldi', pattern: /\bVivaldi\/(\d+)/ },
  { name: 'Firefox', pattern: /\b(?:Firefox|FxiOS)\/(\d+)/ },
  { name: 'Chrome', pattern: /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/ },
  { name: 'Safari', pattern: /\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\// },
]

const SYSTEMS: readonly Pattern[] = [
  { name: 'iPhone', pattern: /\biPhone\b/ },
  { name: 'iPad', pattern: /\biPad\b/ },
  { name: 'Android', pattern: /\bAndroid\b/ },
  { name: 'ChromeOS', pattern: /\bCrOS\b/ },
  { name: 'Windows', pattern: /\bWindows NT\b/ },
  { name: 'macOS', pattern: /\bMac OS X\b/ },
  { name: 'Linux', pattern: /\bLinux\b/ },
]

const PROGRAM_CHARACTERS_MAX = 40

/** Names the browser and the device of a user agent: `Firefox 140 on Linux`; null if there is nothing to name. */
export function describeUserAgent(userAgent: string | null): string | null {
  const text = userAgent?.trim() ?? ''
  const browser = describeBrowser(text)
  const system = SYSTEMS.find(({ pattern }) => pattern.test(text))?.name
  if (browser === undefined) return system ?? describeProgram(text)
  return system === undefined ? browser : `${browser} on ${system}`
}

function describeBrowser(text: string): string | undefined {
  for (const { name, pattern } of BROWSERS) {
    const match = pattern.exec(text)
    if (match !== null) return `${name} ${match[1]}`
  }
  return undefined
}

function describeProgram(text: string): string | null {
  const [program = ''] = text.split(/[/\s]/, 1)
  return program === '' ? null : program.slice(0, PROGRAM_CHARACTERS_MAX)
}
