import { Toast as Radix } from 'radix-ui'
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react'
import { ToneIcon, type Tone } from './status.tsx'

interface Told {
  id: number
  tone: Tone
  text: string
}

type Tell = (text: string, tone?: Tone) => void

const Context = createContext<Tell>(() => undefined)

/** Says shortly that something was done: `tell('The key is deleted')`. */
export function useTell(): Tell {
  return useContext(Context)
}

let lastId = 0

/** Stands around all pages, once; shows what is told in the corner for a few seconds. */
export function Toasts({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<readonly Told[]>([])
  const tell = useCallback<Tell>((text, tone = 'positive') => {
    lastId += 1
    const one = { id: lastId, tone, text }
    setTold((before) => [...before.slice(-2), one])
  }, [])
  const remove = useMemo(
    () => (id: number) => setTold((before) => before.filter((one) => one.id !== id)),
    [],
  )
  return (
    <Context value={tell}>
      <Radix.Provider duration={5000} label="Notice">
        {children}
        {told.map(({ id, tone, text }) => (
          <Radix.Root
            key={id}
            onOpenChange={(isOpen) => !isOpen && remove(id)}
            className="flex animate-reveal items-center gap-2 rounded-md border border-line bg-raised px-3.5 py-2.5 shadow-raised"
          >
            <ToneIcon tone={tone} size={16} />
            <Radix.Description className="user-text">{text}</Radix.Description>
          </Radix.Root>
        ))}
        {/* At the end of a page there is room for one below the content. */}
        <Radix.Viewport className="fixed bottom-3 left-1/2 z-50 grid w-80 max-w-[calc(100vw-2rem)] -translate-x-1/2 gap-2" />
      </Radix.Provider>
    </Context>
  )
}
