import type { Schemas } from '../../api/client.ts'
import { LongText } from '../../parts/long-text.tsx'
import { Panel, StackedFacts } from '../../parts/page.tsx'
import { readInfo } from './asset-document.ts'

/** Further properties of an asset; nothing if there are none. */
export function PropertiesPanel({ page }: { page: Schemas['AssetPage'] }) {
  const { properties } = readInfo(page.asset)
  if (properties.length === 0) return null
  return (
    <Panel title="Properties">
      <StackedFacts
        facts={properties.map(([name, value]) => [
          name,
          <LongText key={name} text={value} charactersMax={200} />,
        ])}
      />
    </Panel>
  )
}
