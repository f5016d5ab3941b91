import { client } from '../../api/client.ts'
import { countText } from '../../parts/number-text.ts'
import { AcceptanceDialog } from './acceptance-dialog.tsx'
import { DRIFT_DATA } from './drift-data.ts'
import type { Finding } from './drift-words.ts'
import { nameFinding } from './finding-names.ts'

interface AcceptDialogProps {
  /** The findings that are accepted together, for the same reason. */
  findings: readonly Finding[]
  onClose: () => void
}

/** Asks for the reason and the last day of an acceptance of differences. */
export function AcceptDialog({ findings, onClose }: AcceptDialogProps) {
  const [first] = findings
  const single = findings.length === 1 ? first : undefined
  return (
    <AcceptanceDialog
      title={single === undefined ? `Accept ${findings.length} differences` : 'Accept difference'}
      label="Accept difference"
      description={
        <span className="user-text">
          {single !== undefined && `${nameFinding(single)}. `}
          Consumers see the reason. Until the last day it opens no incident and fails no build; it
          counts again afterwards, or as soon as the table changes in this place.
        </span>
      }
      present={single?.acceptance ?? null}
      request={async (body) => {
        for (const { id, changedAt } of findings) {
          const params = { path: { id } }
          await client.PUT('/api/drift/{id}/acceptance', { params, body: { ...body, changedAt } })
        }
      }}
      notice={`${countText(findings.length, 'difference')} accepted.`}
      refresh={DRIFT_DATA}
      onClose={onClose}
    />
  )
}
