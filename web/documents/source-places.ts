import {
  readText,
  type MediaType,
  type Position,
  type SourceText,
} from '../../formats/text/text.ts'
import { formatPath, isObject, type Path, type Value } from '../../formats/text/value.ts'
import { isInside } from './touched-fields.ts'

/** A field of a document with its position in the text; line and column count from 1. */
export interface SourcePlace extends Position {
  /** A dotted path; '' for the whole document. */
  field: string
}

/** A field to find in a text, or a position whose field is to be found. */
export type SoughtPlace = { field: string } | Position

let last: { text: string; mediaType: MediaType; source: SourceText | undefined } | undefined

/** Finds a place in a text; undefined if the text cannot be parsed. The last text is parsed only once. */
export function findSourcePlace(
  text: string,
  mediaType: MediaType,
  sought: SoughtPlace,
): SourcePlace | undefined {
  if (last?.text !== text || last.mediaType !== mediaType) {
    const source = readText(text, mediaType, { nodesMax: Number.POSITIVE_INFINITY })
    last = { text, mediaType, source: source.ok ? source : undefined }
  }
  const { source } = last
  if (source === undefined) return undefined
  const path = 'field' in sought ? findPath(source.value, sought.field) : findPathAt(source, sought)
  const { line, column } = source.locate(path)
  return { field: formatPath(path), line, column }
}

type Child = readonly [step: string | number, value: Value | undefined]

function listChildren(value: Value | undefined): Child[] {
  if (Array.isArray(value)) return [...value.entries()]
  return isObject(value) ? Object.entries(value) : []
}

// The path of a dotted field, as far as it exists.
function findPath(top: Value, field: string): Path {
  let path: Path = []
  let value: Value | undefined = top
  for (;;) {
    const parent: Path = path
    const child: Child | undefined = listChildren(value).find(([step]) => {
      const own = formatPath([...parent, step])
      return own === field || isInside(field, own)
    })
    if (child === undefined) return path
    path = [...path, child[0]]
    value = child[1]
  }
}

// The last field that begins at or before a position.
function findPathAt(source: SourceText, sought: Position): Path {
  let path: Path = []
  let value: Value | undefined = source.value
  for (;;) {
    let best: { child: Child; start: Position } | undefined
    for (const child of listChildren(value)) {
      const start = source.locate([...path, child[0]])
      if (isAfter(start, sought)) continue
      if (best === undefined || isAfter(start, best.start)) best = { child, start }
    }
    if (best === undefined) return path
    path = [...path, best.child[0]]
    value = best.child[1]
  }
}

function isAfter(a: Position, b: Position): boolean {
  return a.line === b.line ? a.column > b.column : a.line > b.line
}
