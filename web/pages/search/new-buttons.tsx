import { Plus } from 'lucide-react'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { getRecordPaths, paths } from '../../paths.ts'
import { mayCreate } from '../../shell/record-permit.ts'
import { findListedRecord, getTitle, type SearchState } from './filters.ts'

/** The button that creates what a list of one type lists. */
export function NewButtons({ state }: { state: SearchState }) {
  const session = useSession()
  switch (getTitle(state)) {
    case 'Data products':
      return (
        <ButtonLink
          look="primary"
          icon={Plus}
          href={paths.newDataProduct}
          reason={maySomewhere(session, 'DATAPRODUCT_ADD').reason}
        >
          Register data product
        </ButtonLink>
      )
    case 'Data contracts':
      return (
        <ButtonLink
          look="primary"
          icon={Plus}
          href={paths.newDataContract()}
          reason={maySomewhere(session, 'DATACONTRACT_ADD').reason}
        >
          Create contract
        </ButtonLink>
      )
    default: {
      const record = findListedRecord(state)
      if (record === undefined) return null
      const { new: href } = getRecordPaths(record)
      const permit = mayCreate(session, record)
      return (
        <ButtonLink look="primary" icon={Plus} href={href} reason={permit.reason}>
          Create {record.called}
        </ButtonLink>
      )
    }
  }
}
