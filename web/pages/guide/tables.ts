import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'

/** The syntax extensions of a Markdown processor. */
interface Extensions {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

/** Plugins that add tables to Markdown; guides use no other extension of GitHub's Markdown. */
export const TABLES = [addTables]

function addTables(this: { data(): object }): void {
  const data: Extensions = this.data()
  ;(data.micromarkExtensions ??= []).push(gfmTable())
  ;(data.fromMarkdownExtensions ??= []).push(gfmTableFromMarkdown())
}
