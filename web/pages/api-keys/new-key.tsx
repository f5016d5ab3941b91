import { useEffect, useRef } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { dayText } from '../../parts/date-format.ts'
import { NextStep } from '../../shell/next-step.tsx'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'

interface NewKeyProps {
  created: Schemas['CreatedApiKey']
  onSaved: () => void
}

/** A key that was just created: its secret, shown only now, and a command that tests it. */
export function NewKey({ created, onSaved }: NewKeyProps) {
  const { displayName, key, scope, expiresAt } = created
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  useUnloadWarning()
  const expiry =
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
          API key "{displayName}" created
        </h2>
        <p className="text-muted">
          {KEY_SCOPES[scope].title}; it {expiry}.
        </p>
      </div>
      <Notice tone="caution" title="The secret is shown only now">
        Store it where your program reads it, in a secret store and not in a repository. Portbook
        keeps only a hash.
      </Notice>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Secret</h3>
        <CodeBlock text={key} label="Secret of the new key" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Test the key</h3>
        <CodeBlock text={testCommand(window.location.origin)} label="Command that tests the key" />
        <p className="text-sm text-muted">
          Run it in bash or zsh, paste the secret and press Enter. The secret does not appear on the
          screen or in the history of the shell. The answer lists data products.
          {!KEY_SCOPES[scope].isReadOnly &&
            ' The command only reads; the key can also create, change and delete.'}
        </p>
      </div>
      <Button look="primary" className="justify-self-start" onClick={onSaved}>
        I have saved it
      </Button>
      <NextStep />
    </section>
  )
}

// One command: pasted lines of a second one would be read as the secret.
function testCommand(origin: string): string {
  return [
    'read -rs PORTBOOK_API_KEY && \\',
    `curl -H "x-api-key: $PORTBOOK_API_KEY" '${origin}/api/search?resourceType=DATA_PRODUCT&limit=5'`,
  ].join('\n')
}

// Closing the tab would lose the secret, so the browser asks first.
function useUnloadWarning(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
}
