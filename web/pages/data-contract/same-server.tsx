import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { api, client, type Schemas } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { DRIFT_DATA } from '../../documents/reality/drift-data.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'

interface SameServerProps {
  link: Schemas['DriftLink']
}

/** The button that declares the address of a server to be that of the source which has the table. */
export function SameServer({ link }: SameServerProps) {
  const [isOpen, setOpen] = useState(false)
  const { reason } = maySomewhere(useSession(), 'INGESTION_EDIT')
  const address = link.explanation.find(({ part }) => part === 'address')?.promised
  const [candidate] = link.candidates
  if (link.state !== 'other_address' || candidate === undefined) return null
  if (address === null || address === undefined) return null
  return (
    <>
      <Button icon={Link2} reason={reason} onClick={() => setOpen(true)}>
        Same server…
      </Button>
      {isOpen && (
        <SameServerDialog address={address} assetId={candidate.id} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface SameServerDialogProps {
  address: string
  /** An asset of the source. */
  assetId: string
  onClose: () => void
}

function SameServerDialog({ address, assetId, onClose }: SameServerDialogProps) {
  const asset = api.useQuery('get', '/ui/assets/{id}', { params: { path: { id: assetId } } })
  const action = useAction({
    request: (externalId: string) =>
      client.POST('/api/integrations/{externalId}/addresses', {
        params: { path: { externalId } },
        body: { address },
      }),
    notice: 'Address added.',
    refresh: DRIFT_DATA,
    onRefreshed: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Same server"
      description="Every model of every contract at this address is then linked with the tables of the source."
    >
      <Loaded query={asset} skeleton={{ lines: 2, isFlush: true }}>
        {({ integration }) =>
          integration === null ? (
            <p>A client registered this table. Choose it by hand instead.</p>
          ) : (
            <div className="grid gap-4">
              <ProblemNotice problem={action.problem} />
              <p className="user-text">
                <code>{address}</code> is the server that <strong>{integration.name}</strong> reads.
              </p>
              <div className="flex flex-wrap gap-2">
                <Button
                  look="primary"
                  busy={action.isPending}
                  onClick={() => action.run(integration.externalId)}
                >
                  Add address
                </Button>
                <Button onClick={onClose}>Cancel</Button>
              </div>
            </div>
          )
        }
      </Loaded>
    </Dialog>
  )
}
