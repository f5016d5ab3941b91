// The headers of an answer in a form that cannot express everything.

// A header has to stay short; the report lists everything.
const LOSSES_HEADER_CHARS_MAX = 4000

/** Returns the headers about what a form of a document cannot express; none if that is nothing. */
export function lossHeaders(
  losses: readonly { path: string; message: string }[],
): Record<string, string> {
  if (losses.length === 0) return {}
  const shown: string[] = []
  let chars = 0
  for (const { path, message } of losses) {
    const sentence = asciiJson(`${path}: ${message}`)
    chars += sentence.length + 1
    if (chars > LOSSES_HEADER_CHARS_MAX) break
    shown.push(sentence)
  }
  return {
    'portbook-loss-count': String(losses.length),
    'portbook-losses': `[${shown.join(',')}]`,
  }
}

// Headers are ASCII; JSON escapes all other characters.
function asciiJson(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
