import { Tooltip as Radix } from 'radix-ui'
import { useState, type ReactElement } from 'react'
import { useLandmark } from './landmark.ts'

interface TooltipProps {
  /** Undefined without a text; the focus stays when one appears. */
  text: string | undefined
  /** The focusable element that it describes. */
  children: ReactElement
}

/** A sentence that appears beside what has the pointer or the focus. */
export function Tooltip({ text, children }: TooltipProps) {
  const { anchor, landmark, find } = useLandmark()
  const [isOpen, setOpen] = useState(false)
  return (
    <Radix.Root
      delayDuration={300}
      open={isOpen && text !== undefined}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) find()
      }}
    >
      <Radix.Trigger asChild ref={anchor}>
        {children}
      </Radix.Trigger>
      <Radix.Portal container={landmark}>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="user-text z-50 max-w-80 rounded-md border border-line bg-raised px-2.5 py-1.5 text-sm text-ink shadow-raised"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Rendered once, around all pages. */
export const TooltipProvider = Radix.Provider
