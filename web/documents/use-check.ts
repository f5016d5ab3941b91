import { useEffect, useRef, useState } from 'react'
import type { Value } from '../../formats/text/value.ts'
import type { CheckRequest, CheckResult } from './document-check.ts'
import { checkBeside } from './document-thread.ts'

const PAUSE_MS = 120

/** The results of checks while a text is edited. */
export interface Checked {
  /** The last result; undefined = there is none yet. */
  result: CheckResult | undefined
  /** The value of the last valid text. */
  lastValue: Value | undefined
  /** Whether the result is that of the present text. */
  isCurrent: boolean
  /** Why the text could not be checked at all; the server will. */
  failure: string | undefined
}

/** Checks a text at once, and then whenever its typing pauses, beside the page. */
export function useCheck({ reader, text, mediaType, id, owner }: CheckRequest): Checked {
  const [checked, setChecked] = useState<{
    text: string
    result: CheckResult
    lastValue: Value | undefined
  }>()
  const [failure, setFailure] = useState<string>()
  const isFirst = useRef(true)
  useEffect(() => {
    let isOver = false
    const check = (): void => {
      isFirst.current = false
      checkBeside({ reader, text, mediaType, id, owner }).then(
        (result) => {
          if (isOver) return
          setChecked((before) => ({ text, result, lastValue: result.value ?? before?.lastValue }))
          setFailure(undefined)
        },
        (error: unknown) => {
          if (!isOver) setFailure(error instanceof Error ? error.message : String(error))
        },
      )
    }
    // Nothing is typed yet: the form waits for the first result.
    const timer = setTimeout(check, isFirst.current ? 0 : PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [reader, text, mediaType, id, owner])
  return {
    result: checked?.result,
    lastValue: checked?.lastValue,
    isCurrent: checked?.text === text,
    failure,
  }
}
