import { useState } from 'react'
import { may, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { dayText } from '../../parts/time.tsx'
import { paths, withQuery } from '../../paths.ts'
import { daysLeft } from './days-left.ts'

interface FormatEndsProps {
  id: string
  /** The last day on which DCS is taken, `YYYY-MM-DD`. */
  endsOn: string
  owner: string
}

/** Says how long a DCS contract can still be changed as it is, and how to move it. */
export function FormatEnds({ id, endsOn, owner }: FormatEndsProps) {
  const session = useSession()
  const [now] = useState(() => Date.now())
  const days = daysLeft(endsOn, now)
  return (
    <div className="mb-5">
      <Notice
        tone="caution"
        title={
          days < 0
            ? `DCS was taken until ${dayText(endsOn)}: this contract can be read, and changed as ODCS`
            : `DCS is taken until ${dayText(endsOn)}: ${days === 1 ? '1 day is' : `${days} days are`} left`
        }
        actions={
          <>
            <ButtonLink
              href={withQuery(paths.editDataContract(id), { from: 'odcs' })}
              reason={may(session, 'RESOURCES_EDIT', owner).reason}
            >
              Convert to ODCS
            </ButtonLink>
            <ButtonLink look="quiet" href={paths.dataContract(id, { view: 'exports', as: 'odcs' })}>
              Preview
            </ButtonLink>
          </>
        }
      >
        The id stays, so that no data product notices. Nothing is lost: what ODCS has no field for
        is kept as custom properties, and the old version stays in the history.
      </Notice>
    </div>
  )
}
