import { useState, type ReactNode } from 'react'
import { mayChange, useSession } from '../api/session.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import type { DocumentKind } from './document-kind.ts'
import { endText } from './format-end.ts'

interface FormatEndsProps {
  /** The format that ends, and the one that takes its place: `DPS`, `ODPS`. */
  format: string
  successor: string
  /** The last day on which it is taken, `YYYY-MM-DD`. */
  endsOn: string
  permissions: DocumentKind['permissions']
  /** Undefined = no team owns the document. */
  owner: string | undefined
  /** The address at which the conversion is reviewed and saved. */
  convertHref: string
  /** The address of the converted document. */
  previewHref?: string
  /** The parts of the document that the conversion keeps. */
  children: ReactNode
}

/** Shows how long a document can still be changed, and how to convert it. */
export function FormatEnds(props: FormatEndsProps) {
  const { format, successor, endsOn, permissions, owner, convertHref, previewHref, children } =
    props
  const session = useSession()
  const [nowMs] = useState(() => Date.now())
  return (
    <div className="mb-5">
      <Notice
        tone="caution"
        title={endText(format, endsOn, nowMs)}
        actions={
          <>
            <ButtonLink
              href={convertHref}
              reason={mayChange(session, permissions, 'EDIT', owner ?? null).reason}
            >
              Convert to {successor}
            </ButtonLink>
            {previewHref !== undefined && (
              <ButtonLink look="quiet" href={previewHref}>
                Preview
              </ButtonLink>
            )}
          </>
        }
      >
        {children}
      </Notice>
    </div>
  )
}
