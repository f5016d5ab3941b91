import { useEffect, useId, useRef, type ReactNode } from 'react'
import { getEffectiveStatus } from '../../../formats/data-product/standing.ts'
import type { InputPort, OutputPort } from '../../../formats/data-product/data-product.ts'
import { useDeprecatedParts, UseInstead } from '../../documents/deprecations.tsx'
import { PlatformTag } from '../../parts/platform-mark.tsx'
import { Fold, FoldButton } from '../../parts/fold.tsx'
import { DocumentStatus, Status, Tag } from '../../parts/status.tsx'

interface PortRowProps {
  productId: string
  port: InputPort | OutputPort
  /** Its JSON pointer in the document of the product. */
  pointer: string
  /** The facts that decide: the contract with its tests, and the access or the source. */
  facts: ReactNode
  isOpen: boolean
  onToggle: () => void
  /** Loads the details before they are opened. */
  onPrepare: () => void
  /** The details; the search of the browser finds them if they are not open. */
  children: ReactNode
}

/** One port: what decides in one row, and its details on demand. */
export function PortRow(props: PortRowProps) {
  const { productId, port, pointer, facts, isOpen, onToggle, onPrepare, children } = props
  const id = useId()
  const row = useShownFirst(isOpen)
  return (
    <li
      ref={row}
      className="col-span-full grid grid-cols-subgrid border-b border-line last:border-0"
    >
      <div className="col-span-full grid grid-cols-subgrid items-start gap-y-2 px-4 py-2.5">
        <div className="grid min-w-0 content-start gap-1">
          <h3 className="flex min-w-0 text-base">
            <FoldButton isOpen={isOpen} controls={id} onToggle={onToggle} onPrepare={onPrepare}>
              {port.name}
              {port.version !== undefined && (
                <span className="ml-2 font-normal text-muted">{port.version}</span>
              )}
            </FoldButton>
          </h3>
          <PortMarks port={port} productId={productId} pointer={pointer} />
        </div>
        {facts}
      </div>
      <Fold id={id} isOpen={isOpen} onFound={onToggle} className="col-span-full min-w-0">
        {children}
      </Fold>
    </li>
  )
}

type PortMarksProps = Pick<PortRowProps, 'port' | 'productId' | 'pointer'>

function PortMarks({ port, productId, pointer }: PortMarksProps) {
  const parts = useDeprecatedParts({ kind: 'data-product', id: productId })
  const status = 'status' in port ? port.status : undefined
  const hasPii = 'containsPii' in port && (port.containsPii ?? false)
  return (
    <div className="flex flex-wrap items-center gap-2 pl-5 empty:hidden">
      {port.type !== undefined && <PlatformTag type={port.type} />}
      <DocumentStatus status={getEffectiveStatus({ status, deprecated: port.deprecated })} />
      <UseInstead part={parts.find((part) => part.pointer === pointer)} />
      {hasPii && <Status tone="caution">personal data</Status>}
      {port.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </div>
  )
}

// A link to a port scrolls to it; a port that is opened on the page is there already.
function useShownFirst(isOpen: boolean) {
  const row = useRef<HTMLLIElement>(null)
  const isFirst = useRef(isOpen)
  useEffect(() => {
    if (isFirst.current) row.current?.scrollIntoView({ block: 'start' })
    isFirst.current = false
  }, [])
  return row
}
