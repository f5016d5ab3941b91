import { useLayoutEffect, useRef, type RefObject } from 'react'

const GAP_PX = 4
const MARGIN_PX = 8
const HEIGHT_PX_MAX = 320

/**
 * Shows a popup at its anchor, as wide as the anchor, on the side with more space. The popup needs
 * `popover="manual"`: the browser draws it above everything else, so that neither a dialog nor a scrolling
 * box clips it.
 */
export function usePopup(isOpen: boolean): {
  anchor: RefObject<HTMLDivElement | null>
  popup: RefObject<HTMLDivElement | null>
} {
  const anchor = useRef<HTMLDivElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current: box } = popup
    const { current: beside } = anchor
    if (!isOpen || box === null || beside === null) return undefined
    const placeBox = (): void => place(box, beside.getBoundingClientRect())
    box.showPopover()
    placeBox()
    const size = new ResizeObserver(placeBox)
    size.observe(box)
    addEventListener('scroll', placeBox, { capture: true, passive: true })
    addEventListener('resize', placeBox)
    window.visualViewport?.addEventListener('resize', placeBox)
    return () => {
      size.disconnect()
      removeEventListener('scroll', placeBox, { capture: true })
      removeEventListener('resize', placeBox)
      window.visualViewport?.removeEventListener('resize', placeBox)
      box.hidePopover()
    }
  }, [isOpen])
  return { anchor, popup }
}

function place(box: HTMLElement, beside: DOMRect): void {
  // A keyboard on the screen takes part of the window away.
  const height = window.visualViewport?.height ?? innerHeight
  const below = height - beside.bottom - GAP_PX - MARGIN_PX
  const above = beside.top - GAP_PX - MARGIN_PX
  const isBelow = below >= Math.min(box.scrollHeight, HEIGHT_PX_MAX) || below >= above
  const { style } = box
  style.maxHeight = `${Math.max(96, Math.min(HEIGHT_PX_MAX, isBelow ? below : above))}px`
  style.minWidth = `${beside.width}px`
  const left = Math.min(beside.left, innerWidth - box.offsetWidth - MARGIN_PX)
  style.left = `${Math.max(MARGIN_PX, left)}px`
  style.top = `${isBelow ? beside.bottom + GAP_PX : beside.top - GAP_PX - box.offsetHeight}px`
}
