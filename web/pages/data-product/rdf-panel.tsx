import { Download } from 'lucide-react'
import { readText } from '../../api/document.ts'
import { toApiPath } from '../../documents/document-kind.ts'
import { Button } from '../../parts/button.tsx'
import { download } from '../../parts/download.ts'
import { NewTabLink } from '../../parts/link.tsx'
import { Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { PRODUCT_KIND } from './product-kind.ts'

const FORMS = [
  { title: 'Download Turtle', mediaType: 'text/turtle', ending: 'ttl' },
  { title: 'Download JSON-LD', mediaType: 'application/ld+json', ending: 'jsonld' },
] as const

type Form = (typeof FORMS)[number]

/** A data product as RDF, to download. */
export function RdfPanel({ id }: { id: string }) {
  const { run, isPending } = useAction({
    request: async ({ mediaType }: Form) =>
      await readText(`${toApiPath(PRODUCT_KIND, id)}?format=dprod`, { accept: mediaType }),
    onSuccess: ({ text, mediaType }, { ending }) => download(text, mediaType, `${id}.${ending}`),
    problemAsNotice: true,
  })
  return (
    <Panel title="DCAT and DPROD" marks="Draft">
      <div className="grid gap-3">
        <p className="text-muted">
          This data product as RDF, for other catalogs and knowledge graphs.{' '}
          <NewTabLink href={paths.guide('dcat')}>Read the whole catalog</NewTabLink>
        </p>
        <div className="flex flex-wrap gap-2">
          {FORMS.map((form) => (
            <Button key={form.ending} icon={Download} busy={isPending} onClick={() => run(form)}>
              {form.title}
            </Button>
          ))}
        </div>
      </div>
    </Panel>
  )
}
