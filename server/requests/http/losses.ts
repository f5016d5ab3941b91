// The headers of an answer in a form that cannot express everything.

// A header has to stay short; the report lists everything.
const HEADER_CHARS_MAX = 4000

/** Returns the headers about what a form of a document cannot express; none if that is nothing. */
export function lossHeaders(
  losses: readonly { path: string; message: string }[],
): Record<string, string> {
  if (losses.length === 0) return {}
  return {
    'portbook-loss-count': String(losses.length),
    'portbook-losses': writeSentences(losses.map(({ path, message }) => `${path}: ${message}`)),
  }
}

/** Writes the first sentences as a JSON array that fits into a header. */
export function writeSentences(sentences: readonly string[]): string {
  const shown: string[] = []
  let chars = 0
  for (const text of sentences) {
    const sentence = asciiJson(text)
    chars += sentence.length + 1
    if (chars > HEADER_CHARS_MAX) break
    shown.push(sentence)
  }
  return `[${shown.join(',')}]`
}

// Headers are ASCII; JSON escapes all other characters.
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
