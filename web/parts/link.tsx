import { useRouter } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react'
import { classNames } from './class-names.ts'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** An address of our own pages, as `paths.ts` builds it. */
  href: string
  /** Whether it looks like a link in a text; otherwise it looks like what is in it. */
  plain?: boolean
}

/** A link to one of our pages: an ordinary one for the browser, without a load for who just clicks. */
export function Link({ href, plain = false, className, onClick, children, ...rest }: LinkProps) {
  const router = useRouter()
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const isModified = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || isModified || event.button !== 0) return
    event.preventDefault()
    router.history.push(href)
  }
  const look = plain
    ? ''
    : 'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent'
  return (
    <a href={href} className={classNames(look, className)} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

interface NameLinkProps extends LinkProps {
  name: string
  /** After how many lines the name is cut; undefined = never. */
  lines?: 1 | 2
}

const CUT = { 1: 'line-clamp-1', 2: 'line-clamp-2' }

/** A link whose text is a name that someone chose, large enough to be tapped. */
export function NameLink({ name, lines, className, ...rest }: NameLinkProps) {
  return (
    <Link className={classNames('flex min-h-6 min-w-6 items-center', className)} {...rest}>
      <span className={classNames('user-text', lines && CUT[lines])}>{name}</span>
    </Link>
  )
}

/** A link that opens in a new tab, so that nothing typed on this page is lost. */
export function NewTabLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
    >
      {children}
    </a>
  )
}
