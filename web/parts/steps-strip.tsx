import { CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from './button.tsx'

interface StepsStripProps {
  title: string
  text: string
  /** The name of the button that hides it. */
  hideLabel?: string
  onHide: () => void
  children: ReactNode
}

/** The steps that follow when something is done, which a person can hide. */
export function StepsStrip({
  title,
  text,
  hideLabel = 'Hide the next steps',
  onHide,
  children,
}: StepsStripProps) {
  return (
    <section
      aria-label="What's next"
      className="relative mb-5 last:mb-0 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-accent-soft py-3 pr-12 pl-4"
    >
      <CircleCheck size={18} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-56 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-sm">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
      <IconButton
        label={hideLabel}
        icon={X}
        className="absolute! top-1.5 right-1.5"
        onClick={onHide}
      />
    </section>
  )
}
