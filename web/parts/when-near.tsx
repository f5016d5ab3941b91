import { useEffect, useRef, useState, type ReactNode } from 'react'

interface WhenNearProps {
  /** The height of the placeholder in pixels. */
  height: number
  children: ReactNode
}

// About half a screen ahead of who scrolls.
const MARGIN = '400px'

/** Shows what is heavy once it is near what is seen of the page; until then its place is kept. */
export function WhenNear({ height, children }: WhenNearProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <div ref={place} style={{ height }} />
}
