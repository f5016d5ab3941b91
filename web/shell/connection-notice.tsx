import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { connection } from '../api/connection.ts'
import { ToneIcon } from '../parts/status.tsx'
import { useToast } from '../parts/toast.tsx'
import { useRefresh } from './action.ts'
import { takeReloadNotice } from './reload-once.ts'

const BACK_SHOWN_MS = 4000

/** Returns whether the server cannot be reached at the moment. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(connection.subscribe, connection.isLost)
}

/**
 * Reports on every page that the connection is lost, and when it is back; then everything shown is
 * loaded again. Also reports a reload after an update.
 */
export function ConnectionNotice() {
  const isLost = useConnectionLost()
  const isBack = useBackOnline(isLost)
  const showToast = useToast()
  useEffect(() => {
    if (takeReloadNotice()) showToast('Portbook was updated and this page was reloaded.', 'info')
  }, [showToast])
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 px-4">
      {(isLost || isBack) && (
        <p className="mx-auto flex w-fit items-center gap-2 rounded-md border border-line-strong bg-raised px-3.5 py-2 shadow-raised">
          <ToneIcon tone={isLost ? 'active' : 'positive'} size={16} />
          {isLost ? 'Connection lost. Reconnecting…' : 'Back online'}
        </p>
      )}
    </div>
  )
}

function useBackOnline(isLost: boolean): boolean {
  const refresh = useRefresh()
  const [isBack, setBack] = useState(false)
  const wasLost = useRef(false)
  useEffect(() => {
    if (isLost) {
      wasLost.current = true
      return undefined
    }
    if (!wasLost.current) return undefined
    wasLost.current = false
    void refresh('everything')
    setBack(true)
    const timer = setTimeout(() => setBack(false), BACK_SHOWN_MS)
    return () => {
      clearTimeout(timer)
      setBack(false)
    }
  }, [isLost, refresh])
  return isBack
}
