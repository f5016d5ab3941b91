import { Panel } from '../../parts/page.tsx'
import { About } from './about.tsx'
import { AssetsPanel } from './assets-panel.tsx'
import { LineagePanel } from './lineage-panel.tsx'
import { InputPorts, OutputPorts } from './ports.tsx'
import { describeProduct, type ShownProduct } from './product-query.ts'
import { Warnings } from './warnings.tsx'

/** The overview for consumers: description, ports, lineage. */
export function Overview({ id, shown }: { id: string; shown: ShownProduct }) {
  const told = describeProduct(shown)
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5">
        <Panel title="Description">
          {told.length === 0 ? (
            <p className="text-muted">
              No description yet. Describe what the data is for, so that people find it by search.
            </p>
          ) : (
            <div className="grid gap-3">
              {told.map(([title, text], at) => (
                <div key={title}>
                  {at > 0 && <h3 className="text-sm text-muted">{title}</h3>}
                  <p className="user-text max-w-prose whitespace-pre-line">{text}</p>
                </div>
              ))}
            </div>
          )}
        </Panel>
        <OutputPorts id={id} product={shown.facts} />
        <AssetsPanel value={shown.value} />
        <InputPorts id={id} product={shown.facts} />
      </div>
      <div className="grid min-w-0 gap-5">
        <About shown={shown} />
        <Warnings id={id} stored={shown.stored} />
      </div>
      <div className="min-w-0 lg:col-span-2">
        <LineagePanel id={id} />
      </div>
    </div>
  )
}
