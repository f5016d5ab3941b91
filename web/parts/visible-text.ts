// Bidirectional embeddings, overrides and isolates (they reorder what follows them), and the line and
// paragraph separators. The marks U+200E, U+200F and U+061C only affect their neighbours and belong to
// texts in Arabic and Hebrew.
const REORDERING = '\u2028-\u202E\u2066-\u2069'
// Control characters but for tab, line feed and carriage return.
const CONTROLS = '\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F'

const HIDDEN = new RegExp(`[${CONTROLS}${REORDERING}]`)
const ALL_HIDDEN = new RegExp(HIDDEN, 'g')

const CONTROL_PICTURES = 0x2400
const DELETE = 0x7f
const DELETE_PICTURE = '\u2421'
const FIRST_PRINTABLE = 0x20
const REPLACEMENT = '\uFFFD'

/**
 * Returns a text with every control character replaced by a visible sign, so that no text can reorder
 * or hide what is shown: `␇` and its like for ASCII, `�` for the rest.
 */
export function toVisibleText(text: string): string {
  return HIDDEN.test(text) ? text.replaceAll(ALL_HIDDEN, toSign) : text
}

function toSign(character: string): string {
  const code = character.charCodeAt(0)
  if (code < FIRST_PRINTABLE) return String.fromCharCode(CONTROL_PICTURES + code)
  return code === DELETE ? DELETE_PICTURE : REPLACEMENT
}
