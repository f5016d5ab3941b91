import { createContext, useCallback, useContext, useState, type ReactNode } from 'react'
import { FromFirstOpen } from './from-first-open.tsx'
import { newFloatingChunk, takePart } from './lazy-part.ts'
import type { Tone } from './status.tsx'
import type { ToastMessage } from './floating-toasts.tsx'

const floating = newFloatingChunk(() => import('./floating-toasts.tsx'))

const ToastList = takePart(floating, (module) => module.ToastList)

type ShowToast = (text: string, tone?: Tone) => void

const Context = createContext<ShowToast>(() => undefined)

/** Returns a function that shows a short message: `showToast('API key deleted')`. */
export function useToast(): ShowToast {
  return useContext(Context)
}

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
    const add = (): void => setMessages((before) => [...before.slice(1 - MESSAGES_MAX), message])
    // The pages work without the message.
    void floating.load().then(add, () => undefined)
  }, [])
  const remove = (id: number): void =>
    setMessages((before) => before.filter((message) => message.id !== id))
  return (
    <Context value={show}>
      {children}
      <FromFirstOpen isOpen={messages.length > 0}>
        <ToastList messages={messages} remove={remove} />
      </FromFirstOpen>
    </Context>
  )
}
