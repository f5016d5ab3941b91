import type { ReactNode } from 'react'
import { useAdvice } from '../api/people-who-help.ts'
import type { Permit } from '../api/session.ts'
import { Notice } from '../parts/notice.tsx'

interface RightNoticeProps {
  /** Undefined = the page does not know yet. */
  permit: Permit | undefined
  title?: string
  /** A sentence about the alternative. */
  children?: ReactNode
}

/** States above the first field that a person cannot save, which people can, and their names; nothing if they can. */
export function RightNotice({
  permit,
  title = 'You cannot save this',
  children,
}: RightNoticeProps) {
  const advice = useAdvice(permit?.lack)
  if (permit?.reason === undefined) return null
  return (
    <div role="note" aria-label="Permission">
      <Notice tone="caution" title={title}>
        {permit.reason} {advice} {children}
      </Notice>
    </div>
  )
}
