import { useEffect, useRef } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { dayText } from '../../parts/time.tsx'
import { isReadOnly, scopeTitle } from './scopes.ts'

interface NewKeyProps {
  created: Schemas['CreatedApiKey']
  onSaved: () => void
}

/** The secret of a key that was just made: shown this once, with a command that tries it. */
export function NewKey({ created, onSaved }: NewKeyProps) {
  const { displayName, key, scope, expiresAt } = created
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useKeptOpen()
  const ends =
    expiresAt === null ? 'never expires' : `works through the end of ${dayText(expiresAt)}, UTC`
  return (
    <section
      aria-labelledby="new-key"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <div>
        <h2
          id="new-key"
          ref={heading}
          tabIndex={-1}
          className="user-text line-clamp-3 text-lg outline-none"
        >
          The key “{displayName}” is ready
        </h2>
        <p className="text-muted">
          {scopeTitle(scope)}; it {ends}.
        </p>
      </div>
      <Notice tone="caution" title="Its secret is shown only now">
        Put it where your program finds it: a secret store, not a repository. Portbook keeps only a
        hash and cannot show it again.
      </Notice>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Secret</h3>
        <CodeBlock text={key} label="Secret of the new key" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Try it: who does the server say that it is?</h3>
        <CodeBlock text={tryCommand(key)} label="Command that tries the key" />
      </div>
      {!isReadOnly(scope) && (
        <p className="text-sm text-muted">
          The command only reads. With this key a program can also change things, in the same way,
          with PUT, POST and DELETE.
        </p>
      )}
      <Button look="primary" className="justify-self-start" onClick={onSaved}>
        I have saved it
      </Button>
    </section>
  )
}

// The key has no character that a shell would read as anything but itself.
function tryCommand(key: string): string {
  return `curl -H 'x-api-key: ${key}' ${window.location.origin}/api/organization/settings`
}

// Closing the tab would lose the secret for good, so the browser asks first.
function useKeptOpen(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
