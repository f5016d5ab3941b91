import { useState } from 'react'
import { may, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { paths, withQuery } from '../../paths.ts'
import { endText } from './format-end.ts'

interface FormatEndsProps {
  id: string
  /** The last day on which DPS is taken, `YYYY-MM-DD`. */
  endsOn: string
  owner: string
}

/** Says how long a DPS product can still be changed as it is, and how to move it. */
export function FormatEnds({ id, endsOn, owner }: FormatEndsProps) {
  const session = useSession()
  const [nowMs] = useState(() => Date.now())
  return (
    <div className="mb-5">
      <Notice
        tone="caution"
        title={endText(endsOn, nowMs)}
        actions={
          <ButtonLink
            href={withQuery(paths.editDataProduct(id), { from: 'odps' })}
            reason={may(session, 'RESOURCES_EDIT', owner).reason}
          >
            Convert to ODPS
          </ButtonLink>
        }
      >
        You see the converted document and what it would change before anything is saved. The id
        stays, and so do the ports: who reads from the product notices nothing. What ODPS has no
        field for is kept as custom properties.
      </Notice>
    </div>
  )
}
