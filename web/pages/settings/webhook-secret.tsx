import { useEffect, useRef, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Notice } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'

interface WebhookSecretProps {
  title: string
  secret: string
  onSaved: () => void
  /** The next step, beside the button. */
  children?: ReactNode
}

/** The secret of an endpoint, which is shown only once. */
export function WebhookSecret({ title, secret, onSaved, children }: WebhookSecretProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section
      aria-labelledby="webhook-secret"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <h2
        id="webhook-secret"
        ref={heading}
        tabIndex={-1}
        className="user-text line-clamp-3 text-lg outline-none"
      >
        {title}
      </h2>
      <Notice tone="caution" title="The secret is shown only now">
        Store it where the receiver reads it. The receiver verifies the signature of each request
        with it: see the <Link href={paths.guide('webhooks')}>guide to webhooks</Link>.
      </Notice>
      <CodeBlock text={secret} label="Secret of the webhook" />
      <div className="flex flex-wrap gap-2">
        <Button look="primary" onClick={onSaved}>
          I have saved it
        </Button>
        {children}
      </div>
    </section>
  )
}
