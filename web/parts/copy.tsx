import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'

const SHOWN_MS = 2000

function useCopied(): [boolean, (text: string) => void] {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = (text: string): void => {
    void navigator.clipboard.writeText(text).then(() => setCopied(true))
  }
  return [isCopied, copy]
}

/** Puts a text on the clipboard. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, copy] = useCopied()
  const icon = isCopied ? Check : Copy
  return (
    <Button icon={icon} onClick={() => copy(text)}>
      <span aria-live="polite">{isCopied ? 'Copied' : label}</span>
    </Button>
  )
}

/** The same, as an icon beside what is copied. */
export function CopyIcon({ text, label }: { text: string; label: string }) {
  const [isCopied, copy] = useCopied()
  const icon = isCopied ? Check : Copy
  return <IconButton label={isCopied ? 'Copied' : label} icon={icon} onClick={() => copy(text)} />
}

/** A text to be copied: a command, a secret, a link. Long ones are wrapped, so that all of it is seen. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex min-w-0 items-start gap-1 rounded-md border border-line bg-sunken">
      <pre
        role="group"
        aria-label={label}
        className="min-w-0 flex-1 px-3 py-2 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {text}
      </pre>
      <CopyIcon text={text} label={`Copy: ${label}`} />
    </div>
  )
}
