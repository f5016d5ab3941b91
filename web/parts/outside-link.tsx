import type { ReactNode } from 'react'
import { hasVariable } from '../../formats/text/variables.ts'
import { classNames } from './class-names.ts'
import { VariableText } from './variable-text.tsx'

interface OutsideLinkProps {
  /** The address in the document. */
  href: string
  className?: string
  children: ReactNode
}

const SAFE = ['http:', 'https:', 'mailto:']

/**
 * A link that a document gives: only http, https and mailto become links, all else stays text. An address with a
 * variable leads nowhere.
 */
export function OutsideLink({ href, className, children }: OutsideLinkProps) {
  const isVariable = hasVariable(href)
  const isSafe = !isVariable && URL.canParse(href) && SAFE.includes(new URL(href).protocol)
  if (!isSafe) {
    return (
      <span className={classNames('user-text', className)}>
        {isVariable && children === href ? <VariableText text={href} /> : children}
      </span>
    )
  }
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={classNames(
        'user-text text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent',
        className,
      )}
    >
      {children}
    </a>
  )
}
