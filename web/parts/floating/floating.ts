/** What floats above a page; loaded together, because one of them is used soon. */

export { ConfirmWindow, DialogWindow } from './dialog-window.tsx'
export { MenuHeading, MenuItem, MenuLine, MenuList } from './menu-list.tsx'
export { PopoverWindow } from './popover-window.tsx'
export { ToastList } from './toast-list.tsx'
export { TooltipBubble } from './tooltip-bubble.tsx'
