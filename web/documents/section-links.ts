import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface SectionLinks {
  /** The section that is read: it is marked in the list. */
  current: string | undefined
  /** Opens a section and moves there. */
  goTo: (id: string) => void
}

/** Follows the scroll through the sections of a form, and opens the one that an address or a click leads to. */
export function useSectionLinks(
  sections: readonly { id: string }[],
  onOpen: (id: string) => void,
): SectionLinks {
  const router = useRouter()
  const [current, setCurrent] = useState(sections[0]?.id)
  // A page that is short shows several sections at once: the one that was chosen stays marked until the next scroll.
  const chosenAt = useRef<number>(undefined)
  const open = useEffectEvent((id: string): void => {
    if (!sections.some((section) => section.id === id)) return
    onOpen(id)
    setCurrent(id)
    requestAnimationFrame(() => {
      const section = document.getElementById(id)
      section?.scrollIntoView({ block: 'start' })
      section?.querySelector('summary')?.focus({ preventScroll: true })
      chosenAt.current = window.scrollY
    })
  })
  const follow = useEffectEvent((): void => {
    if (chosenAt.current === window.scrollY) return
    chosenAt.current = undefined
    setCurrent(findReadSection() ?? sections[0]?.id)
  })
  useEffect(() => {
    let frame = 0
    const onScroll = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => follow())
    }
    const onHash = (): void => open(globalThis.location.hash.slice(1))
    onHash()
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('hashchange', onHash)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('hashchange', onHash)
    }
  }, [])
  const goTo = (id: string): void => {
    const { pathname, searchStr } = router.state.location
    router.history.replace(`${pathname}${searchStr}#${id}`)
    open(id)
  }
  return { current, goTo }
}

/** Returns the line of the window that is read: it moves from the top to the bottom while the page is scrolled. */
export function getReadingLine(): number {
  const { scrollTop, scrollHeight, clientHeight } = document.documentElement
  const progress = scrollHeight > clientHeight ? scrollTop / (scrollHeight - clientHeight) : 0
  return TOP_PX + Math.min(1, progress) * (clientHeight - TOP_PX)
}

// The header of the page, and the list of sections on a narrow one.
const TOP_PX = 100

function findReadSection(): string | undefined {
  const line = getReadingLine()
  const sections = [...document.querySelectorAll<HTMLElement>('[data-section]')]
  return sections.findLast((one) => one.getBoundingClientRect().top <= line)?.id
}
