import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import { readText } from '../../api/document.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { paths } from '../../paths.ts'
import { Mark } from '../../shell/mark.tsx'
import { usePathId } from '../../shell/path-id.ts'
import { headingId } from './heading-id.ts'
import { TABLES } from './tables.ts'

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
            <Markdown remarkPlugins={TABLES} components={COMPONENTS}>
              {text}
            </Markdown>
          )}
        </Loaded>
      </main>
    </div>
  )
}

// Long lines scroll, by the keyboard too.
function Code({ children }: { children?: ReactNode }) {
  return <pre tabIndex={0}>{children}</pre>
}

// A guide links to its own sections, so headings have ids.
function Section({ node, children }: ExtraProps & { children?: ReactNode }) {
  return <h2 id={headingId(textOf(node))}>{children}</h2>
}

function Subsection({ node, children }: ExtraProps & { children?: ReactNode }) {
  return <h3 id={headingId(textOf(node))}>{children}</h3>
}

type GuideNode = NonNullable<ExtraProps['node']>

function textOf(node: GuideNode | GuideNode['children'][number] | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(textOf).join('') : ''
}

// Guides link to each other by file name, so that the links work in the repository too.
function GuideLink({ href = '', children }: ComponentProps<'a'>) {
  const path = href.replace(/^([\w-]+)\.md(?=#|$)/, '/guides/$1')
  return path.startsWith('/') ? <Link href={path}>{children}</Link> : <a href={path}>{children}</a>
}

const COMPONENTS: Components = { pre: Code, h2: Section, h3: Subsection, a: GuideLink }
