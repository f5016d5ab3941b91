import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { readText } from '../../api/document.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { Mark } from '../../shell/mark.tsx'
import { usePathId } from '../../shell/url-state.ts'

const GuideText = lazyPart(() => import('./guide-text.tsx'), 'GuideText')
// The code that displays a guide loads along with its text.
GuideText.prepare()

/** A guide of the product's own documentation, readable without signing in. */
export function GuidePage() {
  const name = usePathId() ?? ''
  const query = useQuery({
    queryKey: ['guide', name],
    staleTime: Infinity,
    queryFn: async () => {
      const { text } = await readText(`/guides/${encodeURIComponent(name)}`, {
        accept: 'text/markdown',
      })
      document.title = `${/^# (.+)$/m.exec(text)?.[1] ?? 'Guide'} · Portbook`
      return text
    },
  })
  return (
    <div className="mx-auto max-w-3xl px-5 py-8">
      <header className="mb-6">
        <Link
          href={paths.home}
          plain
          className="inline-flex items-center gap-2.5 text-lg font-semibold"
        >
          <Mark size={26} />
          Portbook
        </Link>
      </header>
      <main className="guide">
        <Loaded query={query}>
          {(text) => (
            <Suspense fallback={<Skeleton />}>
              <GuideText text={text} />
            </Suspense>
          )}
        </Loaded>
      </main>
    </div>
  )
}
