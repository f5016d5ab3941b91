import type { ReactNode } from 'react'
import { listTexts } from '../../formats/data-product/fields.ts'
import { asText, getField, isObject, type Value } from '../../formats/text/value.ts'
import { valueText } from '../parts/value-text.ts'
import { Tag } from '../parts/status.tsx'

const ENTRIES_SHOWN_MAX = 200

/** Shows the synonyms of a part of a document with their language and origin; undefined if they have none. */
export function describeSynonyms(list: Value | undefined): ReactNode {
  return describeEntries(list, 'synonym', ['locale', 'source', 'status'])
}

/** Shows the allowed values of a field with their labels; undefined if they have none. */
export function describeValues(list: Value | undefined): ReactNode {
  return describeEntries(list, 'value', ['label'])
}

// A list of objects with a name, words about it and a description; undefined if none has more than the name.
function describeEntries(
  list: Value | undefined,
  name: string,
  words: readonly string[],
): ReactNode {
  if (!Array.isArray(list) || !list.every(isObject)) return undefined
  const entries = list.map((item) => ({
    text: valueText(getField(item, name)) ?? '',
    more: words.flatMap((word) => asText(getField(item, word)) ?? []).join(', '),
    description: asText(getField(item, 'description')),
    tags: listTexts(getField(item, 'tags')),
  }))
  if (!entries.some(({ more, description, tags }) => more || description || tags.length > 0)) {
    return undefined
  }
  const rest = entries.length - ENTRIES_SHOWN_MAX
  return (
    <ul key={name} className="grid gap-1.5">
      {entries.slice(0, ENTRIES_SHOWN_MAX).map(({ text, more, description, tags }, at) => (
        <li key={`${at} ${text}`} className="user-text">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <Tag>{text}</Tag> {more}
            {tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
          {description !== undefined && <p className="text-sm text-muted">{description}</p>}
        </li>
      ))}
      {rest > 0 && <li className="text-muted">and {rest} more in the source</li>}
    </ul>
  )
}
