import { queryOptions, useQuery } from '@tanstack/react-query'
import { readText } from '../../api/document.ts'
import { readStoredText } from '../../documents/stored-document.ts'
import { SourceView } from '../../documents/source-view.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Panel } from '../../parts/page.tsx'
import { formatDocument } from './asset-document.ts'

interface DocumentViewProps {
  id: string
  isIngested: boolean
  /** `source` = without what people added. */
  layer: string
  onLayer: (layer: string) => void
}

const LAYERS = [
  { value: '', label: 'With additions by people' },
  { value: 'source', label: 'Source only' },
] as const

/** The document of an asset, as the API returns it. */
export function DocumentView({ id, isIngested, layer, onLayer }: DocumentViewProps) {
  const stored = useQuery(documentQuery(id, isIngested ? layer : 'sent'))
  return (
    <Panel title="Document">
      <div className="grid gap-3">
        {isIngested && (
          <RadioGroup
            label="Document"
            isLabelHidden
            name="layer"
            value={layer === 'source' ? 'source' : ''}
            options={LAYERS}
            onChange={onLayer}
            className="flex flex-wrap gap-x-6 gap-y-2"
          />
        )}
        <Loaded query={stored}>
          {({ text, mediaType }) => (
            <SourceView key={layer} text={text} mediaType={mediaType} fileName={id} />
          )}
        </Loaded>
      </div>
    </Panel>
  )
}

// The catalog writes ingested documents on one line, so they are formatted here. A document that a client
// sent is shown byte for byte.
function documentQuery(id: string, layer: string) {
  const path = `/api/assets/${encodeURIComponent(id)}`
  return queryOptions({
    queryKey: ['asset-document', id, layer],
    async queryFn({ signal }) {
      if (layer === 'sent') return await readStoredText(path, signal)
      const query = layer === 'source' ? '?layer=source' : ''
      const { text } = await readText(path + query, { accept: 'application/json', signal })
      return { text: formatDocument(text), mediaType: 'application/json' as const }
    },
  })
}
