import type { ComponentProps } from 'react'
import Markdown, { type Components } from 'react-markdown'
import { Link } from '../parts/link.tsx'
import { OutsideLink } from '../parts/outside-link.tsx'

// A longer text would block the page while it is parsed; it is shown as it was written.
const CHARACTERS_MAX = 200_000

/**
 * A text in Markdown that people wrote. HTML in it is shown as text, and images are left out. Its headings are below
 * those of the page.
 */
export function MarkdownText({ text }: { text: string }) {
  if (text.length > CHARACTERS_MAX) return <p className="user-text whitespace-pre-line">{text}</p>
  return (
    <div className="guide user-text max-w-prose text-base [&>:first-child]:mt-0 [&>:last-child]:mb-0">
      <Markdown disallowedElements={['img']} components={COMPONENTS}>
        {text}
      </Markdown>
    </div>
  )
}

function TextLink({ href = '', children }: ComponentProps<'a'>) {
  // Two slashes begin the address of another host.
  const isOwnPage = /^\/(?!\/)/.test(href)
  return isOwnPage ? (
    <Link href={href}>{children}</Link>
  ) : (
    <OutsideLink href={href}>{children}</OutsideLink>
  )
}

const COMPONENTS: Components = { a: TextLink, h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h5', h5: 'h6' }
