import { ChevronDown, ChevronRight } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import { Skeleton } from '../../parts/notice.tsx'

const PortFields = lazyPart(() => import('./port-fields.tsx'), 'PortFields')

/** The fields of a port's contract, loaded on demand. */
export function PortModel({ contractId, portName }: { contractId: string; portName: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const Icon = isOpen ? ChevronDown : ChevronRight
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look="quiet"
        className="-ml-3"
        icon={Icon}
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerEnter={PortFields.prepare}
        onFocus={PortFields.prepare}
        onClick={() => setOpen(!isOpen)}
      >
        Fields<span className="sr-only"> of {portName}</span>
      </Button>
      <div id={id} hidden={!isOpen} className="w-full">
        {isOpen && (
          <Suspense fallback={<Skeleton lines={4} label="Loading the fields" />}>
            <PortFields contractId={contractId} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
