// Messages about invalid YAML. The library reports errors in terms of the grammar; users need the likely mistake and its
// fix.

import type { YAMLError } from 'yaml'

type ErrorCode = YAMLError['code']

// By the message of the library. It reports different mistakes with one code, so messages are tried first, in this order.
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [
    /without - indicator/,
    'This line is neither an item of the list above nor indented below one. Begin it with "- ", or correct its indentation.',
  ],
  [
    /Implicit (?:map )?keys? need|Implicit keys/,
    'This line has no ":" after a field name. Add it, or indent the line if it continues the text above.',
  ],
  [
    /Nested mappings are not allowed/,
    'Two fields run together here. Text that contains ": " needs quotes; nested fields belong on the lines below, with equal indentation.',
  ],
  [
    /may not be used as an implicit map key/,
    'A list cannot be a field name. Check the indentation of this line, and the ":" of the line above.',
  ],
  [
    /on same line with key/,
    'A list cannot begin on the line of its field name. Write its first "- " on the next line.',
  ],
  [/Missing closing/, 'The quote is not closed. Add the closing quote.'],
  [/Missing space after :/, 'A space is missing after ":".'],
  [/Missing ,/, 'A comma is missing here, or text needs quotes.'],
  [
    /Flow (?:sequence|map)|Expected .* to end|must end with/i,
    'The bracket is not closed. Add the missing "]" or "}".',
  ],
  [
    /Comments must be separated/,
    'A space is missing before "#". Put text that contains "#" in quotes.',
  ],
  [/Plain value cannot start with/, 'Text that begins with "@", "`" or "%" needs quotes.'],
  [/Block scalar header/, 'Only "|" or ">" may be here; begin the text on the next line.'],
  [
    /at node end|Unexpected (?:flow-)?(?:scalar|seq|map)/,
    'Something follows the end of a value. Put the whole text in quotes, or remove the rest of the line.',
  ],
  [
    /must start at the same column|All collection items/,
    'This line is indented differently from the lines around it. Indent them equally.',
  ],
]

const BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'Text that begins with "*" or "&" needs quotes.',
  BAD_ALIAS: 'Text that begins with "*" or "&" needs quotes.',
  BAD_DIRECTIVE: 'Text that begins with "%" needs quotes.',
  BAD_DQ_ESCAPE: 'In double quotes write "\\\\" for a backslash.',
  BAD_INDENT: 'Check the indentation of this line.',
  BLOCK_IN_FLOW: 'Inside "[ ]" and "{ }" fields and items are separated by commas.',
  KEY_OVER_1024_CHARS:
    'A field name is longer than 1,024 characters. Check for a missing quote or ":".',
  MISSING_CHAR: 'Check for a missing ":", comma, quote or bracket.',
  MULTIPLE_ANCHORS: 'Text that begins with "&" needs quotes.',
  MULTIPLE_TAGS: 'Text that begins with "!" needs quotes.',
  TAB_AS_INDENT: 'Indent with spaces, not tabs.',
  TAG_RESOLVE_FAILED: 'Remove the tag ("!…"); only plain values are supported.',
}

const FALLBACK =
  'This is not YAML. Check the indentation, and put text with special characters in quotes.'

/** Returns the likely mistake and its fix for an error of the library. */
export function explainYamlError(code: ErrorCode | undefined, message: string): string {
  const row = BY_MESSAGE.find(([pattern]) => pattern.test(message))
  return row?.[1] ?? (code === undefined ? undefined : BY_CODE[code]) ?? FALLBACK
}
