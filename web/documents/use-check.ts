import { useEffect, useRef, useState } from 'react'
import type { Value } from '../../formats/text/value.ts'
import type { CheckRequest, CheckResult } from './document-check.ts'
import { checkBeside } from './document-thread.ts'

const PAUSE_MS = 120

/** The results of checks while a text is edited. */
interface Checked {
  /** The last result; undefined = there is none yet. */
  result: CheckResult | undefined
  /** The value of the last valid text. */
  lastValue: Value | undefined
  /** Whether the result is that of the present text. */
  isCurrent: boolean
  /** The number of resets before the text of the result: after a reset, the value is that of another text. */
  resetCount: number
  /** Why the text could not be checked at all; the server will. */
  failure: string | undefined
}

/**
 * Checks a text at once, also when it was reset, and then whenever its typing pauses, beside the page. `resetCount` is
 * the number of resets.
 */
export function useCheck(
  { reader, text, mediaType, id, owner }: CheckRequest,
  resetCount: number,
): Checked {
  const [checked, setChecked] = useState<{
    text: string
    result: CheckResult
    lastValue: Value | undefined
    resetCount: number
  }>()
  const [failure, setFailure] = useState<string>()
  const checkedResets = useRef(-1)
  useEffect(() => {
    let isOver = false
    const check = (): void => {
      checkedResets.current = resetCount
      checkBeside({ reader, text, mediaType, id, owner }).then(
        (result) => {
          if (isOver) return
          setChecked((before) => {
            const lastValue = result.value ?? before?.lastValue
            return { text, result, lastValue, resetCount }
          })
          setFailure(undefined)
        },
        (error: unknown) => {
          if (!isOver) setFailure(error instanceof Error ? error.message : String(error))
        },
      )
    }
    // Nothing is typed yet: the form waits for the result.
    const timer = setTimeout(check, checkedResets.current === resetCount ? PAUSE_MS : 0)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [reader, text, mediaType, id, owner, resetCount])
  return {
    result: checked?.result,
    lastValue: checked?.lastValue,
    isCurrent: checked?.text === text,
    resetCount: checked?.resetCount ?? 0,
    failure,
  }
}
