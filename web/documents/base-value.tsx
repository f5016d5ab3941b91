import { useEffect, useState } from 'react'
import type { Value } from '../../formats/text/value.ts'
import { checkBeside } from './document-thread.ts'
import type { Editing, Unchanged } from './use-editing.ts'

// The value of the saved text once something has changed; undefined = a new document, or not parsed yet.
function useBaseValue({ kind, id, stored, unchanged, isChanged }: Editing): Value | undefined {
  const [base, setBase] = useState<{ of: Unchanged; value: Value | undefined }>()
  const { reader } = kind
  const owner = stored?.owner
  const isWanted = isChanged && stored !== undefined && base?.of !== unchanged
  useEffect(() => {
    if (!isWanted) return undefined
    let isOver = false
    const { text, mediaType } = unchanged
    checkBeside({ reader, text, mediaType, id, owner }).then(
      ({ value }) => !isOver && setBase({ of: unchanged, value }),
      // Without the saved value, changes are listed in the plan only.
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [isWanted, reader, unchanged, id, owner])
  return isChanged && base?.of === unchanged ? base.value : undefined
}

interface BaseValueProps {
  editing: Editing
  onValue: (value: Value | undefined) => void
}

/** Parses the saved text of a document that is changed. It shows nothing. */
export function BaseValue({ editing, onValue }: BaseValueProps) {
  const value = useBaseValue(editing)
  useEffect(() => onValue(value), [value, onValue])
  return null
}
