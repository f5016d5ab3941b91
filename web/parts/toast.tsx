import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { ToneIcon, type Tone } from './status.tsx'

interface ToastMessage {
  id: number
  tone: Tone
  text: string
}

type ShowToast = (text: string, tone?: Tone) => void

const Context = createContext<ShowToast>(() => undefined)

/** Returns a function that shows a short message: `showToast('API key deleted')`. */
export function useToast(): ShowToast {
  return useContext(Context)
}

const DURATION_MS = 6000
const MESSAGES_MAX = 3

let lastId = 0

/**
 * Shows messages at the bottom of the window for a few seconds. The time stops while the pointer or the
 * focus is on one, and F8 moves the focus there.
 */
export function Toasts({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly ToastMessage[]>([])
  const show = useCallback<ShowToast>((text, tone = 'positive') => {
    lastId += 1
    const message = { id: lastId, tone, text }
    setMessages((before) => [...before.slice(1 - MESSAGES_MAX), message])
  }, [])
  const remove = (id: number): void =>
    setMessages((before) => before.filter((message) => message.id !== id))
  return (
    <Context value={show}>
      <Radix.Provider duration={DURATION_MS} label="Notice">
        {children}
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
    </Context>
  )
}
