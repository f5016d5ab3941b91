import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { TRUST_DATA } from '../../documents/trust-data.ts'
import { Button } from '../../parts/button.tsx'
import { useAction } from '../../shell/action.ts'

// What a stored result changes.
const TEST_DATA = [
  '/ui/datacontracts/{id}/test-results',
  '/api/datacontracts/{id}/checks',
  '/api/datacontracts/{id}/freshness',
  '/api/test-results',
  '/api/incidents',
  ...TRUST_DATA,
] as const

/** The button that tests a contract by counting in its tables. */
export function TestNow({ id, owner }: { id: string; owner: string | undefined }) {
  const { reason } = may(useSession(), 'DATACONTRACT_TEST_RUN', owner ?? null)
  const test = useAction({
    request: () => client.POST('/api/datacontracts/{id}/test', { params: { path: { id } } }),
    notice: 'The contract was tested.',
    problemAsNotice: true,
    refresh: TEST_DATA,
  })
  return (
    <Button reason={reason} busy={test.isPending} onClick={() => test.run()}>
      Test now
    </Button>
  )
}
