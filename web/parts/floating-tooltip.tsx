import { Tooltip as Radix } from 'radix-ui'
import type { RefObject } from 'react'
import { BorrowedTrigger } from './floating-trigger.tsx'

interface TooltipBubbleProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  anchor: RefObject<HTMLButtonElement | null>
  landmark: HTMLElement | null
  id: string
  text: string | undefined
}

/** The sentence beside what has the pointer or the focus. */
export function TooltipBubble(props: TooltipBubbleProps) {
  const { open, onOpenChange, anchor, landmark, id, text } = props
  return (
    <Radix.Provider>
      <Radix.Root open={open} onOpenChange={onOpenChange}>
        <Radix.Trigger asChild>
          <BorrowedTrigger element={anchor} />
        </Radix.Trigger>
        <Radix.Portal container={landmark}>
          <Radix.Content
            id={id}
            sideOffset={6}
            collisionPadding={8}
            className="user-text z-50 max-w-80 rounded-md border border-line bg-raised px-2.5 py-1.5 text-sm text-ink shadow-raised"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
