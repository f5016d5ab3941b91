import { clip, formatPath, type Path, type Value } from '../../formats/text/value.ts'
import type { Violation } from '../platform/errors.ts'
import { readDocument } from '../requests/http/document.ts'
import type { Task, TaskText } from '../requests/http/offload.ts'
import type { MediaType } from '../../formats/text/text.ts'

/** A document whose tags are read. */
interface TaggedText extends TaskText {
  mediaType: MediaType
  nodesMax: number
}

// The fields of a document whose values have no meaning in its standard: examples, and properties with free names.
const FREE_FIELDS = new Set(['custom', 'customProperties', 'example', 'examples'])
// The fields below which every name is free: a model may be called `examples`.
const FREE_NAMES = new Set<Path[number] | undefined>(['models', 'fields', 'definitions'])
const VIOLATIONS_MAX = 20

/** Lists the tags of a document, of its ports, its models and their fields, each once. */
export function listTags(value: Value): string[] {
  return [...new Set(iterateTags(value, []).map(({ tag }) => tag))]
}

/** Locates tags that a document must not have. */
export const rejectTags: Task<TaggedText & { unmanaged: readonly string[] }, Violation[]> = {
  name: 'rejectTags',
  run({ document: text, mediaType, nodesMax, unmanaged }) {
    const source = readDocument({ text, mediaType }, { nodesMax })
    const rejected = new Set(unmanaged)
    return iterateTags(source.value, [])
      .filter(({ tag }) => rejected.has(tag))
      .take(VIOLATIONS_MAX)
      .map(({ tag, path }) => {
        const message = `"${clip(tag)}" is not a managed tag. Use a managed tag, or create it with PUT /api/tags/{id} first.`
        return { field: formatPath(path), message, ...source.locate(path) }
      })
      .toArray()
  },
}

/** A tag and its position in a document. */
interface TagPosition {
  tag: string
  path: Path
}

function* iterateTags(value: Value, path: Path): Generator<TagPosition> {
  if (typeof value !== 'object' || value === null) return
  const members = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [step, member] of members) {
    if (isFree(step, path)) continue
    const at = [...path, step]
    if (step === 'tags' && Array.isArray(member)) yield* iterateItems(member, at)
    else yield* iterateTags(member, at)
  }
}

function isFree(step: Path[number], path: Path): boolean {
  if (typeof step === 'number' || FREE_NAMES.has(path.at(-1))) return false
  // The properties of an asset.
  return FREE_FIELDS.has(step) || (step === 'properties' && path.length === 0)
}

function* iterateItems(items: readonly Value[], path: Path): Generator<TagPosition> {
  for (const [at, item] of items.entries()) {
    if (typeof item === 'string' && item !== '') yield { tag: item, path: [...path, at] }
  }
}
