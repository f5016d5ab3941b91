import { Trash2 } from 'lucide-react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import type { ShownConnector } from './connector.ts'

interface DeleteConnectorProps {
  id: string
  connector: ShownConnector
}

/** Deletes a connector after asking. */
export function DeleteConnector({ id, connector: { owner } }: DeleteConnectorProps) {
  const session = useSession()
  const params = { path: { id } }
  return (
    <ActionButton
      label="Delete"
      icon={Trash2}
      reason={may(session, 'INGESTION_EDIT', owner ?? null).reason}
      title={`Delete the connector ${id}?`}
      button="Delete connector"
      danger
      request={() => client.DELETE('/api/connectors/{id}', { params, parseAs: 'text' })}
      notice="Connector deleted"
      goTo={paths.connectors}
      forget={['connector', id]}
      refresh={['/api/connectors']}
    >
      <p>
        This deletes its state, and cannot be undone. If the connector still runs, it registers
        again and starts from the beginning: it may repeat work that it has already done.
      </p>
    </ActionButton>
  )
}
