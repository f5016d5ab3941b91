// Parsing of .proto texts with protobufjs.

import protobuf from 'protobufjs'
import { clip } from '../../text/value.ts'
import { tooMuchAt } from './cost.ts'
import { rewriteGroups } from './groups.ts'
import { findEdition } from './tokens.ts'

/** A parsed .proto text, or why it cannot be read and where. */
type ProtobufParseResult =
  | { ok: true; parsed: protobuf.IParserResult }
  | { ok: false; offset: number; message: string }

/** Parses a .proto text. Imports are not followed. */
export function parseProtobuf(text: string): ProtobufParseResult {
  const offset = tooMuchAt(text)
  if (offset !== undefined) {
    const message = 'A message has too many fields from here on; split it up.'
    return { ok: false, offset, message }
  }
  const isProto2 = findEdition(text) === 'proto2'
  const rewritten = isProto2 ? rewriteGroups(text) : undefined
  const parsedText = rewritten?.text ?? text
  try {
    const options = { keepCase: true, alternateCommentMode: true }
    return { ok: true, parsed: protobuf.parse(parsedText, newRoot(), options) }
  } catch (error) {
    const failure = locate(error, parsedText)
    const offset = rewritten?.toOriginal(failure.offset) ?? failure.offset
    return { ok: false, offset, message: failure.message }
  }
}

// The root of the library looks up the type that each `extend` extends as soon as that is parsed, which takes quadratic
// time. The readers here resolve names themselves.
function newRoot(): protobuf.Root {
  return Object.assign(new protobuf.Root(), { _handleAdd: () => undefined })
}

// The parser reports "illegal token 'x' (line 3)", and no line for duplicate names.
function locate(error: unknown, text: string): { offset: number; message: string } {
  const report = error instanceof Error && !(error instanceof RangeError) ? error.message : ''
  const [, problem = report, line = '1'] = /^(.*) \(.*?line (\d+)\)$/s.exec(report) ?? []
  const lines = text.split('\n', Number(line))
  const start = lines.slice(0, -1).reduce((offset, { length }) => offset + length + 1, 0)
  const offset = start + (lines.at(-1)?.search(/\S|$/) ?? 0)
  const message =
    report === ''
      ? 'Messages are nested too deep here to be read as Protobuf; flatten them.'
      : `This cannot be read as Protobuf: ${clip(problem, 200)}. Correct it here or just before.`
  return { offset, message }
}
