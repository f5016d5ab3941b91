import { useBlocker } from '@tanstack/react-router'
import { Suspense, useRef } from 'react'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'

const LeaveQuestion = takePart(
  newFloatingChunk(() => import('./leave-question.tsx')),
  (module) => module.LeaveQuestion,
)

interface LeaveDialogProps {
  /** Asks, whenever the page is to be left, whether there is something to lose. */
  hasChanges: () => boolean
  onDiscard: () => void
}

/** Asks before a page with unsaved changes is left. */
export function LeaveDialog({ hasChanges, onDiscard }: LeaveDialogProps) {
  // The next page may take a moment, in which the person must not be asked again.
  const isLeaving = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !isLeaving.current && current.pathname !== next.pathname && hasChanges(),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = (): void => {
    isLeaving.current = true
    blocker.proceed()
  }
  return (
    <Suspense fallback={null}>
      <LeaveQuestion
        onStay={blocker.reset}
        onKeep={leave}
        onDiscard={() => {
          onDiscard()
          leave()
        }}
      />
    </Suspense>
  )
}
