import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Panel } from '../../parts/page.tsx'
import { AccessFindingItem } from './access-finding-item.tsx'
import { hasGrants, PortReaders } from './port-readers.tsx'

const PORTS_STEP = 10
const FINDINGS_STEP = 25

interface ProductGrantsProps {
  id: string
  /** Ids of the output ports of the product. */
  ports: readonly string[]
}

/** The grants on the tables of a data product compared with its agreements; nothing where none are read. */
export function ProductGrants({ id, ports }: ProductGrantsProps) {
  const [portsMax, setPortsMax] = useState(PORTS_STEP)
  const [findingsMax, setFindingsMax] = useState(FINDINGS_STEP)
  const { data: findings = [] } = api.useQuery('get', '/api/access-findings', {
    params: { query: { dataProductId: id } },
  })
  const queries = ports.slice(0, portsMax).map((portId) =>
    api.queryOptions('get', '/api/dataproducts/{id}/outputports/{portId}/grants', {
      params: { path: { id, portId } },
    }),
  )
  const grants = useQueries({ queries }).flatMap(({ data }) =>
    data !== undefined && hasGrants(data) ? [data] : [],
  )
  if (findings.length === 0 && grants.length === 0) return null
  const restOfFindings = findings.length - findingsMax
  const restOfPorts = ports.length - portsMax
  return (
    <Panel flush title="Grants and agreements">
      {findings.length === 0 ? (
        <p className="px-4 py-3">No deviations in the grants that were read.</p>
      ) : (
        <ul aria-label="Deviations of grants from agreements" className="divide-y divide-line">
          {findings.slice(0, findingsMax).map((finding) => (
            <AccessFindingItem key={finding.id} finding={finding} />
          ))}
        </ul>
      )}
      {restOfFindings > 0 && (
        <p className="px-4 py-3">
          <Button onClick={() => setFindingsMax(findingsMax + FINDINGS_STEP)}>
            Show {Math.min(restOfFindings, FINDINGS_STEP)} more deviations
          </Button>
        </p>
      )}
      {grants.map((one) => (
        <PortReaders key={one.outputPortId} grants={one} />
      ))}
      {restOfPorts > 0 && (
        <p className="border-t border-line px-4 py-3">
          <Button onClick={() => setPortsMax(portsMax + PORTS_STEP)}>
            Show {Math.min(restOfPorts, PORTS_STEP)} more output ports
          </Button>
        </p>
      )}
      <p className="border-t border-line px-4 py-3 text-sm text-muted">
        Views over the tables and shares to other accounts are not followed. Nothing is concluded
        from names of unknown identity. Portbook never grants or revokes.
      </p>
    </Panel>
  )
}
