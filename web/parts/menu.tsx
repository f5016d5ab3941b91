import { Slot } from 'radix-ui'
import {
  useId,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { FromFirstOpen } from './from-first-open.tsx'
import { useLandmark } from './landmark.ts'
import { newFloatingChunk, takePart } from './lazy-part.ts'

const floating = newFloatingChunk(() => import('./floating-menu.tsx'))

const MenuList = takePart(floating, (module) => module.MenuList)

/** One action of a menu. */
export const MenuItem = takePart(floating, (module) => module.MenuItem)

/** A line between groups of actions. */
export const MenuLine = takePart(floating, (module) => module.MenuLine)

/** The heading of a group of actions. */
export const MenuHeading = takePart(floating, (module) => module.MenuHeading)

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

/** A list of actions behind a button. */
export function Menu({ trigger, align = 'end', children }: MenuProps) {
  const { anchor, landmark, find } = useLandmark()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const change = (open: boolean): void => {
    find()
    setOpen(open)
  }
  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || event.ctrlKey) return
    // The first action takes the focus.
    if (!isOpen) event.preventDefault()
    change(!isOpen)
  }
  const pressKey = (event: KeyboardEvent): void => {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    change(true)
  }
  return (
    <>
      <Slot.Root
        ref={anchor}
        id={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerDown={press}
        onKeyDown={pressKey}
      >
        {trigger}
      </Slot.Root>
      <FromFirstOpen isOpen={isOpen}>
        <MenuList
          open={isOpen}
          onOpenChange={change}
          anchor={anchor}
          labelledBy={id}
          landmark={landmark}
          align={align}
        >
          {children}
        </MenuList>
      </FromFirstOpen>
    </>
  )
}
