import { Popover as Radix } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { BorrowedTrigger } from './floating-trigger.tsx'

interface PopoverWindowProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  anchor: RefObject<HTMLButtonElement | null>
  landmark: HTMLElement | null
  label: string
  children: ReactNode
}

/** The window of a popover. */
export function PopoverWindow(props: PopoverWindowProps) {
  const { open, onOpenChange, anchor, landmark, label, children } = props
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <BorrowedTrigger element={anchor} />
      </Radix.Trigger>
      <Radix.Portal container={landmark}>
        <Radix.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          className="z-50 flex max-h-[75vh] w-96 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-md border border-line bg-raised shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
