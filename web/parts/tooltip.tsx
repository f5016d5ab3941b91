import { Tooltip as Radix } from 'radix-ui'
import { useState, type ReactElement } from 'react'
import { useLandmark } from './landmark.ts'

interface TooltipProps {
  /** Undefined = there is nothing to say now; what has the focus keeps it when there is. */
  text: string | undefined
  /** What it is about: something that can have the focus. */
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

/** Stands around all pages, once. */
export const TooltipProvider = Radix.Provider
