import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { IconButton } from './button.tsx'
import { ToneIcon, type Tone } from './status.tsx'

/** A short message. */
export interface ToastMessage {
  id: number
  tone: Tone
  text: string
}

const DURATION_MS = 6000

interface ToastListProps {
  messages: readonly ToastMessage[]
  remove: (id: number) => void
}

/** The messages at the bottom of the window. */
export function ToastList({ messages, remove }: ToastListProps) {
  return (
    <Radix.Provider duration={DURATION_MS} label="Notice">
      {messages.map(({ id, tone, text }) => (
        <Radix.Root
          key={id}
          type="background"
          onOpenChange={(isOpen) => !isOpen && remove(id)}
          className="pointer-events-auto flex max-w-full animate-reveal items-center gap-2 rounded-md border border-line bg-raised py-1 pr-1.5 pl-3 shadow-raised"
        >
          <ToneIcon tone={tone} size={16} />
          <Radix.Description className="user-text line-clamp-3">{text}</Radix.Description>
          <Radix.Close asChild>
            <IconButton label="Dismiss" icon={X} />
          </Radix.Close>
        </Radix.Root>
      ))}
      {/* In the padding at the end of a page, so that a message covers no content there. */}
      <Radix.Viewport className="pointer-events-none fixed bottom-2 left-1/2 z-50 flex w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col items-center gap-1.5 sm:max-w-md" />
    </Radix.Provider>
  )
}
