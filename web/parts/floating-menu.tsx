import type { LucideIcon } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { BorrowedTrigger } from './floating-trigger.tsx'
import { classNames } from './class-names.ts'

interface MenuListProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  anchor: RefObject<HTMLButtonElement | null>
  /** The id of the button. */
  labelledBy: string
  landmark: HTMLElement | null
  align: 'start' | 'end'
  children: ReactNode
}

/** The actions of a menu. */
export function MenuList(props: MenuListProps) {
  const { open, onOpenChange, anchor, labelledBy, landmark, align, children } = props
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <BorrowedTrigger element={anchor} />
      </Radix.Trigger>
      <Radix.Portal container={landmark}>
        <Radix.Content
          align={align}
          aria-labelledby={labelledBy}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-[70vh] min-w-44 max-w-80 overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  icon?: LucideIcon
  danger?: boolean
  /** Why it cannot be chosen now; shown below its name. */
  reason?: string | undefined
  onSelect: () => void
  children: ReactNode
}

/** One action of a menu. */
export function MenuItem({
  icon: Icon,
  danger = false,
  reason,
  onSelect,
  children,
}: MenuItemProps) {
  return (
    <Radix.Item
      aria-disabled={reason !== undefined || undefined}
      onSelect={(event) => (reason === undefined ? onSelect() : event.preventDefault())}
      className={classNames(
        'user-text grid cursor-pointer grid-cols-[auto_1fr] items-center gap-x-2 rounded px-2 py-1.5 outline-none data-highlighted:bg-hover',
        danger && 'text-critical',
        reason !== undefined && 'cursor-not-allowed text-muted',
      )}
    >
      <span className="w-4">{Icon !== undefined && <Icon aria-hidden size={14} />}</span>
      <span>{children}</span>
      {reason !== undefined && <span className="col-start-2 text-xs text-muted">{reason}</span>}
    </Radix.Item>
  )
}

/** A line between groups of actions. */
export function MenuLine() {
  return <Radix.Separator className="my-1 h-px bg-line" />
}

/** The heading of a group of actions. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-xs text-faint">{children}</Radix.Label>
}
