import { Slot } from 'radix-ui'
import { useEffect, useId, useRef, useState, type PointerEvent, type ReactElement } from 'react'
import { FromFirstOpen } from './from-first-open.tsx'
import { useLandmark } from './landmark.ts'
import { newFloatingChunk, takePart } from './lazy-part.ts'

const floating = newFloatingChunk(() => import('./floating-tooltip.tsx'))

const TooltipBubble = takePart(floating, (module) => module.TooltipBubble)

const DELAY_MS = 300

// Beside one that was just closed, a tooltip opens at once.
let closedAt = Number.NEGATIVE_INFINITY

interface TooltipProps {
  /** Undefined without a text; the focus stays when one appears. */
  text: string | undefined
  /** The focusable element that it describes. */
  children: ReactElement
}

/** A sentence that appears beside what has the pointer or the focus. */
export function Tooltip({ text, children }: TooltipProps) {
  const { anchor, landmark, find } = useLandmark()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isShown = isOpen && text !== undefined
  const change = (open: boolean): void => {
    if (open) find()
    else if (isOpen) closedAt = performance.now()
    setOpen(open)
  }
  const handlers = useTooltipHandlers(change)
  return (
    <>
      <Slot.Root ref={anchor} {...(isShown ? { 'aria-describedby': id } : {})} {...handlers}>
        {children}
      </Slot.Root>
      <FromFirstOpen isOpen={isShown}>
        <TooltipBubble
          open={isShown}
          onOpenChange={change}
          anchor={anchor}
          landmark={landmark}
          id={id}
          text={text}
        />
      </FromFirstOpen>
    </>
  )
}

// When the pointer leaves, the bubble closes itself, unless the pointer goes to the bubble.
function useTooltipHandlers(change: (open: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const frame = useRef(0)
  const isOver = useRef(false)
  const isPressed = useRef(false)
  const cancel = (): void => {
    clearTimeout(timer.current)
    cancelAnimationFrame(frame.current)
    timer.current = undefined
  }
  const close = (): void => {
    cancel()
    change(false)
  }
  // The pointer must not leave before there is a bubble to notice it.
  const open = async (): Promise<void> => {
    await floating.load()
    if (timer.current !== undefined) change(true)
    cancel()
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      cancelAnimationFrame(frame.current)
    },
    [],
  )
  return {
    onPointerMove: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'touch' || isOver.current) return
      isOver.current = true
      const delay = performance.now() - closedAt < DELAY_MS ? 0 : DELAY_MS
      timer.current = setTimeout(() => void open().catch(() => undefined), delay)
    },
    onPointerLeave: () => {
      isOver.current = false
      cancel()
    },
    onPointerDown: () => {
      isPressed.current = true
      addEventListener('pointerup', () => (isPressed.current = false), { once: true })
      change(false)
    },
    onFocus: () => {
      if (isPressed.current) return
      // The browser scrolls to what gets the focus, and a scroll closes the bubble.
      cancelAnimationFrame(frame.current)
      frame.current = requestAnimationFrame(() => change(true))
    },
    onBlur: close,
    onClick: close,
  }
}
