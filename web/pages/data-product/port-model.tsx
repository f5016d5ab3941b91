import { LatePart } from '../../parts/late-part.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'

const PortFields = lazyPart(() => import('./port-fields.tsx'), 'PortFields')

/** The fields of a port's contract, loaded on demand. */
export function PortModel({ contractId, portName }: { contractId: string; portName: string }) {
  return (
    <LatePart
      title={
        <>
          Fields<span className="sr-only"> of {portName}</span>
        </>
      }
      loading="Loading the fields"
      onPrepare={PortFields.prepare}
    >
      <PortFields contractId={contractId} />
    </LatePart>
  )
}
