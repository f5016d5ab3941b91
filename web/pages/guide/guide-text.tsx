import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { ComponentProps, ReactNode } from 'react'
import Markdown, { type Components, type ExtraProps } from 'react-markdown'
import { Link } from '../../parts/link.tsx'
import { headingId } from './heading-id.ts'

/** The text of a guide. */
export function GuideText({ text }: { text: string }) {
  return (
    <Markdown remarkPlugins={TABLES} components={COMPONENTS}>
      {text}
    </Markdown>
  )
}

// Long lines scroll, by the keyboard too.
function Code({ children }: { children?: ReactNode }) {
  return <pre tabIndex={0}>{children}</pre>
}

// A guide links to its own sections, so headings have ids.
function Section({ node, children }: ExtraProps & { children?: ReactNode }) {
  return <h2 id={headingId(getText(node))}>{children}</h2>
}

function Subsection({ node, children }: ExtraProps & { children?: ReactNode }) {
  return <h3 id={headingId(getText(node))}>{children}</h3>
}

type GuideNode = NonNullable<ExtraProps['node']>

function getText(node: GuideNode | GuideNode['children'][number] | undefined): string {
  if (node === undefined) return ''
  if (node.type === 'text') return node.value
  return node.type === 'element' ? node.children.map(getText).join('') : ''
}

// Guides link to each other by file name, so that the links work in the repository too.
function GuideLink({ href = '', children }: ComponentProps<'a'>) {
  const path = href.replace(/^(?:\.\.\/|sources\/)?([\w-]+)\.md(?=#|$)/, '/guides/$1')
  return path.startsWith('/') ? <Link href={path}>{children}</Link> : <a href={path}>{children}</a>
}

const COMPONENTS: Components = { pre: Code, h2: Section, h3: Subsection, a: GuideLink }

/** The syntax extensions of a Markdown processor. */
interface Extensions {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

/** Plugins that add tables to Markdown; guides use no other extension of GitHub's Markdown. */
const TABLES = [addTables]

function addTables(this: { data(): object }): void {
  const data: Extensions = this.data()
  ;(data.micromarkExtensions ??= []).push(gfmTable())
  ;(data.fromMarkdownExtensions ??= []).push(gfmTableFromMarkdown())
}
