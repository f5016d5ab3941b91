import type { Schemas } from '../../api/client.ts'
import { LongText } from '../../parts/long-text.tsx'
import { Panel } from '../../parts/page.tsx'
import { readInfo } from './asset-document.ts'

/** Further properties of an asset; nothing if there are none. */
export function PropertiesPanel({ page }: { page: Schemas['AssetPage'] }) {
  const { properties } = readInfo(page.asset)
  if (properties.length === 0) return null
  return (
    <Panel title="Properties">
      <dl className="grid gap-2">
        {properties.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="user-text line-clamp-2 text-muted">{name}</dt>
            <dd>
              <LongText text={value} charactersMax={200} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
