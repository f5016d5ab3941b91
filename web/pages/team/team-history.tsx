import { useState } from 'react'
import { api } from '../../api/client.ts'
import { usePrincipalNames } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'

const SHOWN_MAX = 10

/** The versions of a team with their authors and times; each can be opened. */
export function TeamHistory({ id }: { id: string }) {
  const [max, setMax] = useState(SHOWN_MAX)
  const [openVersion, setOpenVersion] = useState<number | undefined>(undefined)
  const query = api.useQuery('get', '/api/teams/{id}/versions', { params: { path: { id } } })
  const getName = usePrincipalNames((query.data ?? []).slice(0, max).map((one) => one.principal))
  return (
    <Panel title="History">
      <Loaded query={query} skeleton={{ lines: 2, isFlush: true }}>
        {(versions) => (
          <>
            <ol className="grid gap-2">
              {versions.slice(0, max).map(({ version, validFrom, principal }) => (
                <li key={version}>
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <Button
                      look="quiet"
                      className="-ml-1.5 min-h-6! px-1.5! font-normal! text-accent! underline decoration-accent/40 underline-offset-2"
                      onClick={() => setOpenVersion(version)}
                    >
                      Version {version}
                    </Button>
                    <span className="text-muted">
                      <Time at={validFrom} />
                    </span>
                  </span>
                  <span className="user-text block text-sm text-muted">
                    by {getName(principal)}
                  </span>
                </li>
              ))}
            </ol>
            {versions.length > max && (
              <Button className="mt-2" onClick={() => setMax(max + 50)}>
                Show more
              </Button>
            )}
          </>
        )}
      </Loaded>
      <Dialog
        open={openVersion !== undefined}
        onClose={() => setOpenVersion(undefined)}
        title={`Version ${openVersion ?? ''}`}
        description="The team as it was then."
        wide
      >
        {openVersion !== undefined && <OneVersion id={id} version={openVersion} />}
      </Dialog>
    </Panel>
  )
}

function OneVersion({ id, version }: { id: string; version: number }) {
  const query = api.useQuery('get', '/api/teams/{id}/versions/{version}', {
    params: { path: { id, version: String(version) } },
  })
  return (
    <Loaded query={query}>
      {(team) => (
        <pre
          tabIndex={0}
          role="region"
          aria-label={`Version ${version}`}
          className="user-text max-h-[55vh] overflow-auto rounded-md bg-sunken p-3 whitespace-pre-wrap"
        >
          {JSON.stringify(team, undefined, 2)}
        </pre>
      )}
    </Loaded>
  )
}
